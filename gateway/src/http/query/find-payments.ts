import { paymentTypeOf } from '../../payments/decide/lifecycle-facts.js';
import { findByReference } from '../../payments/find/find-by-reference.js';
import { paymentsByTime } from '../../payments/find/find-by-time.js';
import type { PaymentRow } from '../../store/rows.js';
import type { HttpDeps } from '../request/deps.js';
import type { PaymentQuery } from './query-parameters.js';

/** A page of payments. */
export interface FoundPage {
  readonly payments: readonly PaymentRow[];
  /** More of them come on the next page. */
  readonly hasMore: boolean;
}

/** The payments that a query asks for, newest first, whichever of the entities made them. @throws StoreUnavailableError */
export async function findPayments(
  deps: HttpDeps,
  entityIds: readonly string[],
  query: PaymentQuery,
): Promise<FoundPage> {
  const { limit, page } = query;
  const first = (page - 1) * limit;
  const payments: PaymentRow[] = [];
  let at = 0;
  for await (const payment of candidates(deps, entityIds, query)) {
    if (!isWanted(payment, query)) continue;
    if (payments.length === limit) return { payments, hasMore: true };
    if (at >= first) payments.push(payment);
    at += 1;
  }
  return { payments, hasMore: false };
}

/** Whether the payment has one of the types and methods, and the short id, that are asked for. A PA.CP is what it says: a PA and a CP. */
export function isWanted(payment: PaymentRow, { types, methods, shortId }: PaymentQuery): boolean {
  return (
    (types === undefined || partsOf(payment).some((type) => types.includes(type))) &&
    (methods === undefined || methods.includes(payment.method)) &&
    (shortId === undefined || payment.shortId === shortId)
  );
}

async function* candidates(
  { store, service }: HttpDeps,
  entityIds: readonly string[],
  { reference, frame, types, methods, shortId, limit, page }: PaymentQuery,
): AsyncGenerator<PaymentRow, void> {
  if (frame) {
    const among = {
      ...(types && { type: rowTypes(types) }),
      // What is no method of a row matches none.
      ...(methods && { method: methods as readonly PaymentRow['method'][] }),
      ...(shortId !== undefined && { shortId: [shortId] }),
    };
    // One more tells whether there is another page.
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

/** Types of rows that may be of the wanted types: the capture of a PA.CP stands in the row of its PA. */
function rowTypes(types: readonly string[]): readonly PaymentRow['type'][] {
  const wanted = types.includes('CP') ? [...types, 'PA'] : types;
  // What is no type of a row matches none.
  return wanted as readonly PaymentRow['type'][];
}
