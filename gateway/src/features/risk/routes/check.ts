import { resultClass } from '@tillbridge/wire/payment/result-codes/result-codes.js';
import { present } from '@tillbridge/wire/present.js';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { amountOf } from '../../../core/payment-api/parameters.js';
import { PAYMENT_RIGHT } from '../../../core/payment-api/payment-right.js';
import { riskDataOf } from '../../../core/payment-api/risk-data.js';
import { RISK_CHECK_PARAMETERS } from '../../../kernel/api/catalogue/risk-check.js';
import { contentErrors } from '../../../kernel/api/content.js';
import type { EntityEvents } from '../../../kernel/events/entity-events.js';
import { callerOf } from '../../../kernel/http/request/authenticate.js';
import { contentAnswer } from '../../../kernel/http/request/content.js';
import type { HttpDeps } from '../../../kernel/http/request/deps.js';
import { type Envelope, envelope } from '../../../kernel/http/request/envelope.js';
import { formOf } from '../../../kernel/http/request/form.js';
import { demandedValues } from '../../../kernel/http/request/valid-values.js';
import { newTimeOrderedId } from '../../../kernel/store/new-id.js';
import type { RiskCheckDeps } from '../risk-check.js';
import { type CheckedRisk, checkRisk } from '../risk-check.js';

/** What a risk check without a payment works with. */
interface RiskRouteDeps extends HttpDeps {
  /** Events of entities. */
  readonly events: EntityEvents;
  readonly risk: RiskCheckDeps;
}

const CHECK = { config: { right: PAYMENT_RIGHT, throttle: 'payments' } } as const;
/** What a check needs, whatever else is sent. */
const REQUIRED = ['entityId', 'amount', 'currency'] as const;
/**
 * Codes of a check: nothing stands against the payment; a person should review it. No code of 000.400 means that a check was passed: what is
 * not of 3D Secure there requires a review.
 */
const CODES = { passed: { test: '000.100.110', live: '000.000.000' }, review: '000.400.000' } as const;
const DECLINED = '100.400.020';
/** A refusal has a code of this group, and in addition the rule's own code, that of a payment. */
const REFUSAL = /^100\.400\./;

/** An addition of ours: a risk check without a payment. */
export function riskRoute(server: FastifyInstance, deps: RiskRouteDeps): void {
  server.post('/v1/risk', CHECK, async (request, reply) => {
    const validated = demandedValues(formOf(request), RISK_CHECK_PARAMETERS, REQUIRED);
    const { values } = validated;
    const entityId = values.get('entityId') ?? '';
    await callerOf(request).authorize(entityId);
    const wrong = contentErrors(validated, deps.clock.nowMs())[0];
    const amount = wrong ? undefined : amountOf(values);
    if (!amount) return send(reply, contentAnswer(deps, wrong ?? DECLINED));
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

function codeOf({ verdict, resultCode }: CheckedRisk, mode: RiskRouteDeps['mode']): string {
  if (verdict === 'refuse')
    return resultCode !== undefined && REFUSAL.test(resultCode) ? resultCode : DECLINED;
  return verdict === 'review' ? CODES.review : (resultCode ?? CODES.passed[mode]);
}

function shownCheck(deps: RiskRouteDeps, code: string, checked: CheckedRisk): Envelope {
  const ExtendedDescription = checked.detail ?? reasonOf(checked);
  return {
    ...envelope(deps, code),
    ...{ risk: { score: String(checked.score) } },
    ...(ExtendedDescription && { resultDetails: { ExtendedDescription } }),
  };
}

/** The rule that refuses a payment by itself, and the code of the payment; undefined where the score alone does. */
function reasonOf({ findings, verdict, resultCode }: CheckedRisk): string | undefined {
  if (verdict !== 'refuse') return undefined;
  const finding = findings.find(({ action }) => action === 'refuse');
  return finding && `rule ${finding.rule}: ${finding.resultCode ?? resultCode}`;
}

function send(reply: FastifyReply, shown: Envelope): FastifyReply {
  return reply.code(resultClass(shown.result.code) === 'rejected' ? 400 : 200).send(shown);
}
