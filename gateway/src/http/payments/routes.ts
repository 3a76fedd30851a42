import { resultClass } from '@tillbridge/protocol/api/result-codes.js';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { FollowUpType, PaymentRequest, PaymentResult, PaymentType } from '../../payments/desk.js';
import { TryLaterError } from '../../payments/desk.js';
import { authenticate, authorizeEntity, entitiesOf } from '../authenticate.js';
import type { HttpDeps } from '../deps.js';
import { envelope, invalidParameters, RequestRefused } from '../envelope.js';
import { type Form, parseFormText } from '../form.js';
import { cardOf, posOf } from './card-present.js';
import { amountOf, createParameters, echoOf, followUpParameters, readParameters } from './parameters.js';
import { paymentView } from './payment-view.js';

type Values = ReadonlyMap<string, string>;

/** Code of a GET on an id that no payment of the entity has. */
const NOT_FOUND = '700.400.580';
/** Code of a payment whose outcome the acquirer has not told yet. */
const PENDING = '000.200.001';
/** Code of a request that another one on the same payment holds up. */
const BUSY = '800.700.100';

/** `/v1/payments` and `/v1/payments/{id}` (spec 4). */
export function paymentRoutes(server: FastifyInstance, deps: HttpDeps): void {
  const create = async (request: FastifyRequest, reply: FastifyReply) => {
    const token = await authenticate(deps, request.headers.authorization, 'payments');
    const values = createParameters(bodyForm(request));
    const entityId = values.get('entityId') ?? '';
    await authorizeEntity(deps.store, token, entityId);
    return answerWith(deps, reply, entityId, () => deps.desk.authorize(paymentRequest(values, entityId)));
  };
  server.post('/v1/payments', create);
  // Clients with an empty id in hand come here; they get told what parameters this path takes (reference §2.2).
  server.post('/v1/payments/', create);

  server.post<{ Params: { id: string } }>('/v1/payments/:id', async (request, reply) => {
    const token = await authenticate(deps, request.headers.authorization, 'payments');
    const values = followUpParameters(bodyForm(request));
    const entityId = values.get('entityId') ?? '';
    await authorizeEntity(deps.store, token, entityId);
    const amount = amountOf(values);
    return answerWith(deps, reply, entityId, () =>
      deps.desk.followUp({
        origin: { kind: 'rest', entityId },
        type: values.get('paymentType') as FollowUpType,
        target: { by: 'payment', paymentId: request.params.id },
        ...(amount && { amount }),
        ...common(values),
        final: values.get('sequence') === 'FINAL',
      }),
    );
  });

  server.get<{ Params: { id: string } }>('/v1/payments/:id', async (request, reply) => {
    const token = await authenticate(deps, request.headers.authorization, 'payments');
    const named = readParameters(queryForm(request)).get('entityId');
    if (named !== undefined) await authorizeEntity(deps.store, token, named);
    const entityIds = named === undefined ? await entitiesOf(deps.store, token) : [named];
    const body = await firstFound(entityIds, (entityId) => paymentBody(deps, request.params.id, entityId));
    if (!body) throw new RequestRefused(404, NOT_FOUND);
    return reply.code(200).send(body);
  });
}

async function firstFound<T>(
  entityIds: readonly string[],
  find: (entityId: string) => Promise<T | undefined>,
): Promise<T | undefined> {
  for (const entityId of entityIds) {
    const found = await find(entityId);
    if (found !== undefined) return found;
  }
  return undefined;
}

function paymentRequest(values: Values, entityId: string): PaymentRequest {
  const amount = amountOf(values);
  if (!amount) throw new RangeError('validated parameters without an amount');
  const card = cardOf(values);
  const pos = posOf(values);
  const brand = values.get('paymentBrand');
  const numberOfCaptures = values.get('numberOfCaptures');
  return {
    origin: { kind: 'rest', entityId },
    type: values.get('paymentType') as PaymentType,
    amount,
    ...(brand !== undefined && { brand }),
    ...(card && { card }),
    ...(pos && { pos }),
    ...(numberOfCaptures !== undefined && { numberOfCaptures: Number(numberOfCaptures) }),
    ...common(values),
  };
}

function common(values: Values) {
  const reference = values.get('merchantTransactionId');
  const testMode = values.get('testMode') as 'INTERNAL' | 'EXTERNAL' | undefined;
  return {
    ...(reference !== undefined && { reference }),
    ...(testMode !== undefined && { testMode }),
    echo: echoOf(values),
  };
}

/** Does the work and answers with the payment as it then stands: 200 when it went well or is pending, 400 when not (spec 7). */
async function answerWith(
  deps: HttpDeps,
  reply: FastifyReply,
  entityId: string,
  work: () => Promise<PaymentResult>,
): Promise<FastifyReply> {
  const { code, paymentId } = await outcome(work);
  const status = resultClass(code) === 'rejected' ? 400 : 200;
  const body = paymentId === undefined ? undefined : await paymentBody(deps, paymentId, entityId);
  return reply.code(status).send(body ?? envelope(deps, code, { entityId }));
}

async function outcome(
  work: () => Promise<PaymentResult>,
): Promise<{ code: string; paymentId?: string | undefined }> {
  try {
    const { resultCode, paymentId } = await work();
    return { code: resultCode, paymentId };
  } catch (error) {
    if (!(error instanceof TryLaterError)) throw error;
    return { code: error.paymentId === undefined ? BUSY : PENDING, paymentId: error.paymentId };
  }
}

async function paymentBody(deps: HttpDeps, paymentId: string, entityId: string): Promise<object | undefined> {
  const payment = await deps.desk.find(paymentId, entityId);
  return payment && { ...paymentView(payment), ...envelope(deps, payment.resultCode, { entityId }) };
}

/** Parameters stand in the body; a query beside it is a mistake that would otherwise be lost in silence. */
function bodyForm(request: FastifyRequest): Form {
  const misplaced = queryForm(request).map(([name]) => ({
    name,
    value: null,
    message: 'must be sent in the body, not in the URL',
  }));
  if (misplaced.length > 0) throw invalidParameters(misplaced);
  return (request.body as Form | undefined) ?? [];
}

function queryForm(request: FastifyRequest): Form {
  const at = request.url.indexOf('?');
  return at < 0 ? [] : parseFormText(request.url.slice(at + 1));
}
