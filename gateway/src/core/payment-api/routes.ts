import { resultClass } from '@tillbridge/wire/payment/result-codes/result-codes.js';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { TryLaterError } from '../../kernel/errors/try-later-error.js';
import { callerOf } from '../../kernel/http/request/authenticate.js';
import { envelope, invalidParameters, RequestRefused } from '../../kernel/http/request/envelope.js';
import { type Form, formOf, queryForm } from '../../kernel/http/request/form.js';
import type { ThrottledOperation } from '../../kernel/http/throttle/throttle.js';
import type { PaymentRow } from '../../kernel/store/rows.js';
import { isWithin } from '../payments/lookup/routing.js';
import type { PaymentResult } from '../payments/rules/requests.js';
import { SHIPPED_BIN_TABLE } from '../payments/shipped-bin-table.js';
import { paymentAnswer } from '../payments/view/payment-view.js';
import { cartOf } from './cart.js';
import { createParameters, followUpParameters, readParameters } from './parameters.js';
import type { PaymentRouteDeps } from './payment-deps.js';
import { NEW_PAYMENT_RIGHT, PAYMENT_RIGHT } from './payment-right.js';
import { checkPath, checkReference, followUpByPath, followUpByReference, linkOf } from './reference.js';
import { withRegistration } from './registration.js';
import { followUpRequest, paymentRequest } from './requests.js';
import { originOfFollowUp, originOfPayment } from './routed-origin.js';
import { isThreeDSecureActive } from './three-d-secure.js';
import { timelineAnswer } from './timeline.js';

/** Code of a payment whose outcome the acquirer has not answered yet. */
const PENDING = '000.200.001';
/** Code of a request that another one on the same payment holds up. */
const BUSY = '800.700.100';

const PAYMENTS = {
  config: { right: NEW_PAYMENT_RIGHT, throttle: 'payments', idempotent: true, triesCards: true },
} as const;
const FOLLOW_UPS = { config: { right: PAYMENT_RIGHT, throttle: 'followUps', idempotent: true } } as const;

/** `/v1/payments` and `/v1/payments/{id}`. */
export function paymentRoutes(server: FastifyInstance, deps: PaymentRouteDeps): void {
  const create = async (request: FastifyRequest, reply: FastifyReply, registrationId?: string) => {
    const form = withRegistration(bodyForm(request), registrationId);
    const threeDSecureIsActive = await isThreeDSecureActive(deps, form, callerOf(request));
    const validated = createParameters(form, { threeDSecureIsActive, nowMs: deps.clock.nowMs() });
    const entityId = validated.values.get('entityId') ?? '';
    await callerOf(request).authorize(entityId);
    await checkReference(deps.store, validated.values, entityId);
    const reference = followUpByReference(validated);
    if (reference) {
      const origin = await originOfFollowUp(deps.store, request, entityId, reference.paymentId);
      const followUp = () => deps.service.followUp(followUpRequest(deps, validated, origin, reference));
      return answerWith(deps, reply, origin.entityId, followUp);
    }
    const { origin, refusal } = await originOfPayment(deps.store, request, entityId, validated.values);
    // The channel that a merchant's payment is routed to decides whether the cardholder is authenticated.
    const isActive = (await deps.threeDSecureActive?.(origin.entityId)) === true;
    if (isActive && !threeDSecureIsActive)
      createParameters(form, { threeDSecureIsActive: isActive, nowMs: deps.clock.nowMs() });
    const link = await linkOf(deps.store, validated.values);
    const cart = await cartOf(deps.store, validated.values, entityId);
    const payment = () =>
      deps.service.authorize({
        ...paymentRequest(deps, validated, origin, refusal ?? link.refusal, isActive),
        ...(cart && { cart }),
        ...(link.referencedId !== undefined && { referencedId: link.referencedId }),
      });
    return answerWith(deps, reply, origin.entityId, payment);
  };
  server.post<{ Params: { id: string } }>('/v1/registrations/:id/payments', PAYMENTS, (request, reply) =>
    create(request, reply, request.params.id),
  );
  server.post('/v1/payments', PAYMENTS, (request, reply) => create(request, reply));
  // Clients with an empty id come here; the answer names the parameters of this path (docs/rest-api.md).
  server.post('/v1/payments/', PAYMENTS, (request, reply) => create(request, reply));

  server.post<{ Params: { id: string } }>('/v1/payments/:id', FOLLOW_UPS, async (request, reply) => {
    const validated = followUpParameters(bodyForm(request));
    const { values } = validated;
    const entityId = values.get('entityId') ?? '';
    await callerOf(request).authorize(entityId);
    checkPath(values, request.params.id);
    const followUp = { paymentId: request.params.id, type: followUpByPath(values) };
    const origin = await originOfFollowUp(deps.store, request, entityId, followUp.paymentId);
    return answerWith(deps, reply, origin.entityId, () =>
      deps.service.followUp(followUpRequest(deps, validated, origin, followUp)),
    );
  });

  readRoute(server, deps, '/v1/payments/:id', 'reads');
  readRoute(server, deps, '/v1/payments/:id/timeline', 'reads', timelineAnswer);
}

/** A route that reads one payment by its id: of the named entity or its channels, else of all that the token may act for. */
export function readRoute(
  server: FastifyInstance,
  deps: PaymentRouteDeps,
  url: string,
  throttle: ThrottledOperation,
  answer: (
    deps: PaymentRouteDeps,
    payment: PaymentRow,
    request: FastifyRequest,
  ) => Promise<object> = paymentBody,
): void {
  const config = { right: 'read', throttle } as const;
  server.get<{ Params: { id: string } }>(url, { config }, async (request) => {
    const named = readParameters(queryForm(request)).get('entityId');
    return answer(deps, await readPayment(deps, request, request.params.id, named), request);
  });
}

/** A payment that the caller may read. @throws RequestRefused for one that is unknown or another's: both give the same answer */
export async function readPayment(
  { store, service }: PaymentRouteDeps,
  request: FastifyRequest,
  id: string,
  named: string | undefined,
): Promise<PaymentRow> {
  const reader = await callerOf(request).actsAs(named);
  const payment = await service.lookUp(id, (ownerId) => isWithin(store, ownerId, reader));
  if (!payment) throw new RequestRefused('nothing-found');
  return payment;
}

/** Does the work and answers with the payment as it then stands: 200 when it went well or is pending, 400 when not. */
async function answerWith(
  deps: PaymentRouteDeps,
  reply: FastifyReply,
  entityId: string,
  work: () => Promise<PaymentResult>,
): Promise<FastifyReply> {
  const { code, paymentId, payment: made } = await outcomeOf(work);
  const status = resultClass(code) === 'rejected' ? 400 : 200;
  const isInHand = made?.entityId === entityId;
  reply.request.isRefusedPayment = status === 400 && paymentId !== undefined;
  reply.code(status);
  try {
    const payment = isInHand ? made : paymentId && (await deps.service.find(paymentId, entityId));
    return reply.send(payment ? await paymentBody(deps, payment) : envelope(deps, code));
  } catch (err) {
    // What was done is done: a client that gets a fault instead would pay twice.
    if (paymentId === undefined) throw err;
    deps.logger.error({ err, paymentId }, 'a payment was made, and its answer cannot be shown in full');
    return reply.send({ id: paymentId, ...envelope(deps, code) });
  }
}

/** How the work ended; of a payment that is still under way its id, where it has one. */
export async function outcomeOf(
  work: () => Promise<PaymentResult>,
): Promise<{ code: string; paymentId?: string | undefined; payment?: PaymentRow | undefined }> {
  try {
    const { resultCode: code, paymentId, payment } = await work();
    return { code, paymentId, payment };
  } catch (error) {
    if (!(error instanceof TryLaterError)) throw error;
    return { code: error.paymentId === undefined ? BUSY : PENDING, paymentId: error.paymentId };
  }
}

/** The body of every answer about a payment. */
export async function paymentBody(deps: PaymentRouteDeps, payment: PaymentRow): Promise<object> {
  const entity = await deps.store.get('entities', [payment.entityId]);
  const sources = { bins: deps.binTable ?? SHIPPED_BIN_TABLE, entityName: entity?.name ?? '' };
  return paymentAnswer(payment, envelope(deps, payment.resultCode), sources);
}

/** The parameters of the body; a query is refused, since it would otherwise be ignored silently. */
export function bodyForm(request: FastifyRequest): Form {
  const misplaced = queryForm(request).parameters.map(([name]) => ({
    name,
    value: null,
    message: 'must be sent in the body, not in the URL',
  }));
  if (misplaced.length > 0) throw invalidParameters(misplaced);
  return formOf(request);
}
