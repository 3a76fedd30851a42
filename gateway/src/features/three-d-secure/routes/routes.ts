import { formatAmount, type Money } from '@tillbridge/wire/payment/money.js';
import { isPublishedTestCard } from '@tillbridge/wire/payment/published-test-cards.js';
import { resultClass } from '@tillbridge/wire/payment/result-codes/result-codes.js';
import { present } from '@tillbridge/wire/present.js';
import type { FastifyInstance } from 'fastify';
import { cardOf } from '../../../core/payment-api/card-present.js';
import { amountOf, authenticationParameters, readParameters } from '../../../core/payment-api/parameters.js';
import { isWithin } from '../../../core/payments/lookup/routing.js';
import { checkCard, refusedCard } from '../../../core/payments/rules/check-card.js';
import { authenticatedAmount } from '../../../core/payments/three-d-secure/foreign-proof.js';
import { neededOf } from '../../../core/payments/three-d-secure/sent.js';
import { redirectView } from '../../../core/payments/view/payment-view.js';
import { contentErrors } from '../../../kernel/api/content.js';
import { type Echo, echoOf } from '../../../kernel/api/echo.js';
import type { Validated } from '../../../kernel/api/validate.js';
import { callerOf } from '../../../kernel/http/request/authenticate.js';
import {
  type ContentRefusal,
  codeOf,
  contentAnswer,
  isContentRefusal,
} from '../../../kernel/http/request/content.js';
import type { HttpDeps } from '../../../kernel/http/request/deps.js';
import { envelope, RequestRefused } from '../../../kernel/http/request/envelope.js';
import { formOf, queryForm } from '../../../kernel/http/request/form.js';
import type { Subject } from '../authenticator.js';
import type { StandAlone, ThreeDSecureService } from '../service.js';

/** What the routes of 3D Secure work with. */
interface ThreeDSecureRouteDeps extends HttpDeps {
  readonly threeDSecureActive?: (entityId: string) => Promise<boolean>;
  /** Authentications of cardholders; absent: there are none. */
  readonly threeDSecure?: ThreeDSecureService;
}

const PAY = { config: { right: 'pay', throttle: 'payments' } } as const;
const READ = { config: { right: 'read', throttle: 'reads' } } as const;
/** The channel has no 3D Secure. */
const NOT_CONFIGURED = '000.400.104';
/** A published test card in live mode. */
const TEST_CARD_LIVE = '700.500.003';
/** Non-payment authentication names no amount. */
const NOTHING: Money = { minor: 0, currency: '' };

/** `/v1/threeDSecure`: a cardholder is authenticated without a payment (docs/three-d-secure.md). */
export function threeDSecureRoutes(server: FastifyInstance, deps: ThreeDSecureRouteDeps): void {
  const { threeDSecure, store } = deps;
  server.post('/v1/threeDSecure', PAY, async (request, reply) => {
    const validated = authenticationParameters(formOf(request));
    const entityId = validated.values.get('entityId') ?? '';
    await callerOf(request).authorize(entityId);
    const isActive = (await deps.threeDSecureActive?.(entityId)) === true;
    const refuse = (why: ContentRefusal) =>
      reply.code(statusOf(codeOf(why))).send({ ...echoFor(validated), ...contentAnswer(deps, why) });
    if (!isActive || !threeDSecure) return refuse(NOT_CONFIGURED);
    const subject = subjectOf(deps, validated, entityId);
    if (isContentRefusal(subject)) return refuse(subject);
    const resultUrl = validated.values.get('shopperResultUrl');
    const begun = await threeDSecure.begin(subject, resultUrl, echoFor(validated));
    if (typeof begun === 'string') return refuse(begun);
    const { code, answer } = bodyOf(deps, begun);
    return reply.code(statusOf(code)).send(answer);
  });

  server.get<{ Params: { id: string } }>('/v1/threeDSecure/:id', READ, async (request) => {
    const named = readParameters(queryForm(request)).get('entityId');
    const reader = await callerOf(request).actsAs(named);
    const found = await threeDSecure?.find(request.params.id);
    const isReadable = found && (await isWithin(store, found.entityId, reader));
    if (!found || !isReadable) throw new RequestRefused('nothing-found');
    return bodyOf(deps, found).answer;
  });
}

/** Rejections are bad requests. */
function statusOf(code: string): number {
  return resultClass(code) === 'rejected' ? 400 : 200;
}

/** Whom the request authenticates, or why what its values mean is refused. */
function subjectOf(
  { clock, mode }: ThreeDSecureRouteDeps,
  validated: Validated,
  entityId: string,
): Subject | ContentRefusal {
  const { values, rows } = validated;
  const [error] = contentErrors({ values, rows }, clock.nowMs());
  if (error) return error;
  const typed = cardOf(values);
  if (!typed) return NOT_CONFIGURED;
  const verdict = checkCard({ pan: typed.number, brand: values.get('paymentBrand'), typed }, clock.nowMs());
  if (!verdict.ok) return refusedCard(verdict);
  if (mode === 'live' && isPublishedTestCard(typed.number)) return TEST_CARD_LIVE;
  const { number: pan, expiryMonth, expiryYear, holder } = typed;
  const sent = neededOf(values);
  const isFree = values.get('threeDSecure.npa') === 'true';
  return {
    entityId,
    card: { pan, expiryMonth, expiryYear, ...present({ holder }) },
    brand: verdict.brand,
    amount: isFree ? NOTHING : authenticatedAmount(sent, amountOf(values) ?? NOTHING),
    sent,
  };
}

/** What answers repeat: the request's structures, and of the card what may be shown. */
function echoFor(validated: Validated): Echo {
  const { values } = validated;
  const amount = values.get('amount') === undefined ? undefined : amountOf(values);
  const number = values.get('card.number') ?? '';
  const { amount: _, threeDSecure: __, ...echo } = echoOf(validated);
  return {
    ...echo,
    paymentType: '3D',
    ...(present({ paymentBrand: values.get('paymentBrand') }) as Echo),
    ...(amount && { amount: formatAmount(amount), currency: amount.currency }),
    card: present({
      bin: number.slice(0, 6),
      last4Digits: number.slice(-4),
      holder: values.get('card.holder'),
      expiryMonth: values.get('card.expiryMonth'),
      expiryYear: values.get('card.expiryYear'),
    }) as Echo,
  };
}

function bodyOf(
  deps: ThreeDSecureRouteDeps,
  { id, resultCode, threeDSecure, echo, redirect, detail }: StandAlone,
) {
  const shown = {
    ...(redirect && { redirect: redirectView(redirect) }),
    ...(detail !== undefined && { resultDetails: { ExtendedDescription: detail } }),
  };
  return { code: resultCode, answer: { id, ...echo, threeDSecure, ...shown, ...envelope(deps, resultCode) } };
}
