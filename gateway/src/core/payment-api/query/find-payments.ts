import type { TimeFrame } from '../../../kernel/http/request/time-frame.js';
import type { PaymentRow } from '../../../kernel/store/rows.js';
import { findByReference } from '../../payments/lookup/find-by-reference.js';
import { countByTime, paymentsByTime } from '../../payments/lookup/find-by-time.js';
import { paymentTypeOf } from '../../payments/rules/lifecycle-facts.js';
import type { PaymentRouteDeps } from '../payment-deps.js';
import { type PaymentQuery, QUERY_LIMITS } from './query-parameters.js';

/** A page of payments. */
interface FoundPage {
  readonly payments: readonly PaymentRow[];
  /** Of the whole query. Where it finds more than may be paged through, one more than the last page that may be read. */
  readonly pages: number;
}

/** The payments that a query selects, newest first, whichever of the entities made them. @throws StoreUnavailableError */
export async function findPayments(
  deps: PaymentRouteDeps,
  entityIds: readonly string[],
  query: PaymentQuery,
): Promise<FoundPage> {
  const { limit, page } = query;
  const first = (page - 1) * limit;
  const payments: PaymentRow[] = [];
  let at = 0;
  for await (const payment of candidates(deps, entityIds, query)) {
    if (!isWanted(payment, query)) continue;
    // By a time frame there may be many more; counting them reads none of them.
    if (query.frame && at === first + limit)
      return {
        payments,
        pages: Math.ceil((await countInFrame(deps, entityIds, query, query.frame)) / limit),
      };
    if (at >= first && payments.length < limit) payments.push(payment);
    at += 1;
  }
  return { payments, pages: Math.ceil(at / limit) };
}

/** Payments of a frame, counted up to one beyond the last page that may be read. */
async function countInFrame(
  { store }: PaymentRouteDeps,
  entityIds: readonly string[],
  query: PaymentQuery,
  frame: TimeFrame,
): Promise<number> {
  const limit = Math.ceil(QUERY_LIMITS.window / query.limit) * query.limit + 1;
  const among = amongOf(query, query.types);
  const count = await countByTime(store, entityIds, { ...frame, among }, limit);
  if (!isCaptureOnly(query.types) || count === limit) return count;
  // The captures that PA.CPs bring along have no rows of their own.
  const both = { ...frame, among: amongOf(query, ['PA']) };
  return count + (await countByTime(store, entityIds, both, limit - count, ['captureReference']));
}

/** Whether the payment has one of the types and methods, and the short id, that the query requests. A PA.CP is both a PA and a CP. */
export function isWanted(payment: PaymentRow, { types, methods, shortId }: PaymentQuery): boolean {
  return (
    (types === undefined || partsOf(payment).some((type) => types.includes(type))) &&
    (methods === undefined || methods.includes(payment.method)) &&
    (shortId === undefined || payment.shortId === shortId)
  );
}

async function* candidates(
  { store, service }: PaymentRouteDeps,
  entityIds: readonly string[],
  query: PaymentQuery,
): AsyncGenerator<PaymentRow, void> {
  const { reference, frame, types, limit, page } = query;
  if (frame) {
    // The capture of a PA.CP stands in the row of its PA.
    const among = amongOf(query, isCaptureOnly(types) ? [...types, 'PA'] : types);
    // One more shows whether there is another page.
    yield* paymentsByTime(store, entityIds, { ...frame, among }, page * limit + 1);
    return;
  }
  for (const { id, entityId } of await findByReference(store, entityIds, reference ?? '')) {
    const payment = await service.lookUp(id, entityId);
    if (payment) yield payment;
  }
}

function partsOf(payment: PaymentRow): readonly string[] {
  return paymentTypeOf(payment).split('.');
}

function isCaptureOnly(types: readonly string[] | undefined): types is readonly string[] {
  return types?.includes('CP') === true && !types.includes('PA');
}

/** Values of the columns of rows that are wanted. What is no type or method of a row matches none. */
function amongOf({ methods, shortId }: PaymentQuery, types: readonly string[] | undefined) {
  return {
    ...(types && { type: types as readonly PaymentRow['type'][] }),
    ...(methods && { method: methods as readonly PaymentRow['method'][] }),
    ...(shortId !== undefined && { shortId: [shortId] }),
  };
}
