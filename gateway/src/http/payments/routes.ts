import { contentErrors } from '@tillbridge/protocol/api/content.js';
import { echoOf } from '@tillbridge/protocol/api/echo.js';
import { isSuccess } from '@tillbridge/protocol/api/result-classes.js';
import { resultClass } from '@tillbridge/protocol/api/result-codes.js';
import type { Validated } from '@tillbridge/protocol/api/validate.js';
import type { Money } from '@tillbridge/protocol/payment/money.js';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type {
  FollowUpRequest,
  FollowUpType,
  ForcedVerdict,
  PaymentRequest,
  PaymentResult,
  PaymentType,
  RestOrigin,
} from '../../payments/desk.js';
import { TryLaterError } from '../../payments/desk.js';
import type { DeviceKeySets } from '../../payments/key-profile.js';
import { authenticate, authorizeEntity, entitiesOf } from '../authenticate.js';
import type { HttpDeps } from '../deps.js';
import { envelope, invalidParameters, RequestRefused } from '../envelope.js';
import { type Form, parseFormText } from '../form.js';
import { billingOf, cardOf, isUnreadable, posOf } from './card-present.js';
import { amountOf, createParameters, followUpParameters, readParameters } from './parameters.js';
import { paymentView, resultRemarks } from './payment-view.js';
import { followUpByPath, followUpByReference } from './reference.js';
import { SHIPPED_BIN_TABLE } from './shipped-bin-table.js';
import { forcedResult, silentMs } from './test-triggers.js';

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
    const validated = createParameters(bodyForm(request), keySetsOf(deps));
    const entityId = validated.values.get('entityId') ?? '';
    await authorizeEntity(deps.store, token, entityId);
    const origin = originOf(request, entityId);
    const reference = followUpByReference(validated);
    const work = reference
      ? () => deps.desk.followUp(followUpRequest(deps, validated, origin, reference))
      : () => deps.desk.authorize(paymentRequest(deps, validated, origin));
    return answerWith(deps, reply, entityId, work);
  };
  server.post('/v1/payments', create);
  // Clients with an empty id in hand come here; they get told what parameters this path takes (reference §2.2).
  server.post('/v1/payments/', create);

  server.post<{ Params: { id: string } }>('/v1/payments/:id', async (request, reply) => {
    const token = await authenticate(deps, request.headers.authorization, 'payments');
    const validated = followUpParameters(bodyForm(request));
    const { values } = validated;
    const entityId = values.get('entityId') ?? '';
    await authorizeEntity(deps.store, token, entityId);
    const asked = { paymentId: request.params.id, type: followUpByPath(values) };
    return answerWith(deps, reply, entityId, () =>
      deps.desk.followUp(followUpRequest(deps, validated, originOf(request, entityId), asked)),
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

/** What is found for the first of the entities that has it. */
export async function firstFound<T>(
  entityIds: readonly string[],
  find: (entityId: string) => Promise<T | undefined>,
): Promise<T | undefined> {
  for (const entityId of entityIds) {
    const found = await find(entityId);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The merchant, and the payment's id where one stands for the request's Idempotency-Key. */
function originOf({ reservedPaymentId: paymentId }: FastifyRequest, entityId: string): RestOrigin {
  return { kind: 'rest', entityId, ...(paymentId !== undefined && { paymentId }) };
}

function paymentRequest(deps: HttpDeps, validated: Validated, origin: RestOrigin): PaymentRequest {
  const { values } = validated;
  const { amount = NO_AMOUNT, verdict: known } = meaningOf(deps, validated);
  const card = cardOf(values);
  const pos = posOf(values, keySetsOf(deps));
  const billing = billingOf(values);
  const verdict = known ?? (card || pos ? undefined : UNSUPPORTED);
  const silence = deps.record ? silentMs(values) : undefined;
  const brand = values.get('paymentBrand');
  const numberOfCaptures = values.get('numberOfCaptures');
  const type = values.get('paymentType');
  return {
    origin,
    // No risk check stands between: authorized and captured in one step, nothing can be left half done.
    type: type === 'PA.CP' ? 'DB' : (type as PaymentType),
    amount,
    ...(brand !== undefined && { brand }),
    ...(card && { card }),
    ...(pos && { pos }),
    ...(billing && { billing }),
    ...(numberOfCaptures !== undefined && { numberOfCaptures: Number(numberOfCaptures) }),
    ...(verdict && { verdict }),
    ...(silence !== undefined && { silentMs: silence }),
    ...common(validated),
  };
}

function followUpRequest(
  deps: HttpDeps,
  validated: Validated,
  origin: RestOrigin,
  { paymentId, type }: { readonly paymentId: string; readonly type: FollowUpType },
): FollowUpRequest {
  const brand = validated.values.get('paymentBrand');
  const numberOfCaptures = validated.values.get('numberOfCaptures');
  return {
    origin,
    type,
    target: { by: 'payment', paymentId },
    ...(brand !== undefined && { brand }),
    ...(numberOfCaptures !== undefined && { numberOfCaptures: Number(numberOfCaptures) }),
    ...meaningOf(deps, validated),
    ...common(validated),
    final: validated.values.get('sequence') === 'FINAL',
  };
}

/** Wallets, accounts and the like: validated, and paid with later. */
const UNSUPPORTED: ForcedVerdict = { kind: 'refused', resultCode: '600.200.200' };

const NO_KEY_SETS: DeviceKeySets = new Map();

function keySetsOf({ deviceKeySets }: HttpDeps): DeviceKeySets {
  return deviceKeySets ?? NO_KEY_SETS;
}

/** Stands where the amount is no amount: such a payment is refused, and its answer shows none. */
const NO_AMOUNT: Money = { minor: 0, currency: '' };
/** Code of terminal data that is no hex or lacks its key serial number. */
const UNREADABLE_TERMINAL_DATA = '800.100.156';
/** Codes of amounts that cannot be read as money. */
const UNREADABLE_AMOUNT: ReadonlySet<string> = new Set(['100.550.303', '100.550.401']);

/** What the values mean: the amount, and the result that is known before anybody is asked. */
function meaningOf(
  deps: HttpDeps,
  { values, rows }: Validated,
): { readonly amount?: Money; readonly verdict?: ForcedVerdict } {
  const errors = contentErrors({ values, rows }, deps.clock.nowMs());
  const code = errors[0]?.code ?? (isUnreadable(values) ? UNREADABLE_TERMINAL_DATA : undefined);
  const readable = !errors.some(
    (error) => UNREADABLE_AMOUNT.has(error.code) && error.name !== 'forex.amount',
  );
  const amount = readable ? amountOf(values) : undefined;
  const verdict =
    code === undefined ? testVerdict(deps, values) : ({ kind: 'refused', resultCode: code } as const);
  return { ...(amount && { amount }), ...(verdict && { verdict }) };
}

/** What a test asks the simulator for; nothing where no simulator stands behind the gateway. */
function testVerdict(deps: HttpDeps, values: Values): ForcedVerdict | undefined {
  const resultCode = deps.record ? forcedResult(values) : undefined;
  if (resultCode === undefined) return undefined;
  return { kind: isSuccess(resultCode) ? 'approved' : 'refused', resultCode };
}

function common(validated: Validated) {
  const { values } = validated;
  const reference = values.get('merchantTransactionId');
  const testMode = values.get('testMode') as 'INTERNAL' | 'EXTERNAL' | undefined;
  return {
    ...(reference !== undefined && { reference }),
    ...(testMode !== undefined && { testMode }),
    echo: echoOf(validated),
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

/** A payment as every answer shows it; undefined where the entity has none with the id. */
export async function paymentBody(
  deps: HttpDeps,
  paymentId: string,
  entityId: string,
): Promise<object | undefined> {
  const payment = await deps.desk.find(paymentId, entityId);
  if (!payment) return undefined;
  const { result, ...rest } = envelope(deps, payment.resultCode, { entityId });
  const view = paymentView(payment, deps.binTable ?? SHIPPED_BIN_TABLE);
  return { ...view, result: { ...result, ...resultRemarks(payment) }, ...rest };
}

const NO_PARAMETERS: Form = { parameters: [], errors: [] };

/** Parameters stand in the body; a query beside it is a mistake that would otherwise be lost in silence. */
function bodyForm(request: FastifyRequest): Form {
  const misplaced = queryForm(request).parameters.map(([name]) => ({
    name,
    value: null,
    message: 'must be sent in the body, not in the URL',
  }));
  if (misplaced.length > 0) throw invalidParameters(misplaced);
  return (request.body as Form | undefined) ?? NO_PARAMETERS;
}

/** Parameters of the query of a URL. */
export function queryForm(request: FastifyRequest): Form {
  const at = request.url.indexOf('?');
  return at < 0 ? NO_PARAMETERS : parseFormText(request.url.slice(at + 1));
}
