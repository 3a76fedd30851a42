import { present } from '@tillbridge/wire/present.js';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from '../../../kernel/http/request/authenticate.js';
import { envelope, RequestRefused } from '../../../kernel/http/request/envelope.js';
import { queryForm } from '../../../kernel/http/request/form.js';
import type { PaymentRow } from '../../../kernel/store/rows.js';
import { linkedPayments } from '../../payments/lookup/linked-payments.js';
import type { PaymentRouteDeps } from '../payment-deps.js';
import { paymentBody, readPayment, readRoute } from '../routes.js';
import { findPayments, isWanted } from './find-payments.js';
import { readIdQuery, readQuery } from './query-parameters.js';

/** Code of a query that found something (docs/rest-api.md). */
const FOUND = '000.000.100';
const QUERY = { config: { right: 'read', throttle: 'query' } } as const;

/** Payments by id, by the merchant's reference or by time: `/v1/query` and `/v3/query` (docs/rest-api.md). */
export function queryRoutes(server: FastifyInstance, deps: PaymentRouteDeps): void {
  readRoute(server, deps, '/v1/query/:id', 'query');
  server.get('/v1/query', QUERY, async (request) => {
    const { records } = await found(deps, request);
    return { ...envelope(deps, FOUND), payments: records };
  });
  server.get('/v3/query', QUERY, async (request, reply) => {
    const { records, pages, entityId } = await found(deps, request, followedToo);
    return answerRecords(deps, reply, entityId, { ...envelope(deps, FOUND), pages }, records);
  });
  server.get<{ Params: { id: string } }>('/v3/query/:id', QUERY, async (request, reply) => {
    const query = readIdQuery(queryForm(request));
    const payment = await readPayment(deps, request, request.params.id, query.entityId);
    const family = query.withLinked ? await linkedPayments(deps.store, payment) : [payment];
    const records = await bodiesOf(
      deps,
      family.filter((each) => isWanted(each, query)),
      followedToo,
    );
    if (records.length === 0) throw new RequestRefused('nothing-found');
    const entityId = await callerOf(request).actsAs(query.entityId);
    return answerRecords(deps, reply, entityId, { ...envelope(deps, FOUND), pages: 1 }, records);
  });
}

/** What a record of the third version has in addition to the answer of its payment: which payment it follows, as notifications name it (docs/webhooks.md). */
function followedToo({ referencedId }: PaymentRow): object {
  return present({ referencedId });
}

/** Sends records under the name of the third version; to older clients under that of the first one, too. */
async function answerRecords(
  { store }: PaymentRouteDeps,
  reply: FastifyReply,
  entityId: string,
  rest: object,
  records: readonly object[],
): Promise<object | string> {
  const isLegacy = (await store.get('entities', [entityId]))?.compatibility === 'legacy';
  if (!isLegacy) return { ...rest, records };
  reply.type('application/json; charset=utf-8');
  return underBothNames(rest, records);
}

/**
 * The text of an answer with records under both names. They are written out once, as that takes most of the time of a query.
 */
function underBothNames(rest: object, records: readonly object[]): string {
  const text = JSON.stringify(records);
  return `${JSON.stringify(rest).slice(0, -1)},"records":${text},"payments":${text}}`;
}

/** What a query found, and the entity that it is about. */
interface Found {
  readonly records: readonly object[];
  readonly pages: number;
  readonly entityId: string;
}

/**
 * The records of a query, and how many pages it has.
 * @param more what each has in addition to the answer of its payment
 * @throws RequestRefused where there are none
 */
async function found(
  deps: PaymentRouteDeps,
  request: FastifyRequest,
  more?: (payment: PaymentRow) => object,
): Promise<Found> {
  const query = readQuery(queryForm(request));
  const caller = callerOf(request);
  const entityIds = await caller.readableEntities(query.entityId);
  const { payments, pages } = await findPayments(deps, entityIds, query);
  if (payments.length === 0) throw new RequestRefused('nothing-found');
  const whole = query.withLinked ? await withLinked(deps, payments) : payments;
  const entityId = await caller.actsAs(query.entityId);
  return { records: await bodiesOf(deps, whole, more), pages, entityId };
}

/** The payments, and after each what is linked with it and not there already. */
async function withLinked(
  deps: PaymentRouteDeps,
  payments: readonly PaymentRow[],
): Promise<readonly PaymentRow[]> {
  const all = new Map<string, PaymentRow>();
  for (const payment of payments) {
    all.set(payment.id, payment);
    for (const linked of await linkedPayments(deps.store, payment)) all.set(linked.id, linked);
  }
  return [...all.values()];
}

function bodiesOf(
  deps: PaymentRouteDeps,
  payments: readonly PaymentRow[],
  more: (payment: PaymentRow) => object = () => ({}),
): Promise<readonly object[]> {
  return Promise.all(
    payments.map(async (payment) => ({ ...(await paymentBody(deps, payment)), ...more(payment) })),
  );
}
