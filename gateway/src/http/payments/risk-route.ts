import { RISK_CHECK_PARAMETERS } from '@tillbridge/protocol/api/catalogue/risk-check.js';
import { contentErrors } from '@tillbridge/protocol/api/content.js';
import { resultClass } from '@tillbridge/protocol/api/result-codes/result-codes.js';
import { validateParameters } from '@tillbridge/protocol/api/validate.js';
import { present } from '@tillbridge/protocol/present.js';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { type CheckedRisk, checkRisk } from '../../risk/risk-check.js';
import { newTimeOrderedId } from '../../store/new-id.js';
import { callerOf } from '../request/authenticate.js';
import type { HttpDeps } from '../request/deps.js';
import { type Envelope, envelope, invalidParameters } from '../request/envelope.js';
import { formOf } from '../request/form.js';
import { amountOf } from './parameters.js';
import { PAYMENT_RIGHT } from './payment-right.js';
import { riskDataOf } from './risk-data.js';

const CHECK = { config: { right: PAYMENT_RIGHT, throttle: 'payments' } } as const;
/** What a check needs, whatever else is sent. */
const REQUIRED = ['entityId', 'amount', 'currency'] as const;
/** Codes of a check: nothing stands against the payment; a person should look at it. */
const CODES = { passed: { test: '000.100.110', live: '000.000.000' }, review: '000.400.000' } as const;
const DECLINED = '100.400.020';

/** An addition of ours: a risk check without a payment. */
export function riskRoute(server: FastifyInstance, deps: HttpDeps): void {
  server.post('/v1/risk', CHECK, async (request, reply) => {
    const form = formOf(request);
    const validated = validateParameters(form.parameters, RISK_CHECK_PARAMETERS);
    const { values } = validated;
    const named = new Set(validated.errors.map(({ name }) => name));
    const missing = REQUIRED.filter((name) => !values.has(name) && !named.has(name)).map((name) => ({
      name,
      value: null,
      message: 'may not be empty',
    }));
    const errors = [...form.errors, ...validated.errors, ...missing];
    if (errors.length > 0) throw invalidParameters(errors);
    const entityId = values.get('entityId') ?? '';
    await callerOf(request).authorize(entityId);
    const wrong = contentErrors(validated, deps.clock.nowMs())[0]?.code;
    const amount = wrong === undefined ? amountOf(values) : undefined;
    if (!amount) return send(reply, envelope(deps, wrong ?? DECLINED));
    const checked = await checkRisk(deps.risk, {
      paymentId: newTimeOrderedId(deps.random, deps.clock.nowMs()),
      entityId,
      amount,
      ...present({ pan: values.get('card.number') }),
      ...riskDataOf(values),
    });
    const shown = shownCheck(deps, codeOf(checked, deps.mode), checked);
    const { changes } = await deps.events.of(entityId);
    const nowMs = deps.clock.nowMs();
    const about = { kind: 'risk-checked', paymentId: null, payload: shown, nowMs } as const;
    await deps.store.commit(changes({ ...about, id: newTimeOrderedId(deps.random, nowMs) }));
    return send(reply, shown);
  });
}

function codeOf({ verdict, resultCode }: CheckedRisk, mode: HttpDeps['mode']): string {
  if (verdict === 'refuse') return resultCode ?? DECLINED;
  return verdict === 'review' ? CODES.review : (resultCode ?? CODES.passed[mode]);
}

function shownCheck(deps: HttpDeps, code: string, { score }: CheckedRisk): Envelope {
  return { ...envelope(deps, code), ...{ risk: { score: String(score) } } };
}

function send(reply: FastifyReply, shown: Envelope): FastifyReply {
  return reply.code(resultClass(shown.result.code) === 'rejected' ? 400 : 200).send(shown);
}
