import type { PaymentRow } from '../../../kernel/store/rows.js';
import type { Store } from '../../../kernel/store/store.js';
import { detailOf } from '../rules/intent-detail.js';
import { paymentTypeOf } from '../rules/lifecycle-facts.js';

/** Payments that one reference finds at most; more of one reference is no reference any more. */
const MAX_FOUND = 500;

/** In this order no payment is missed that goes on from one state to the next between two looks; one that ends is found after them. */
const UNTIL_DONE = ['waiting', 'open', 'waiting'] as const;

/** A payment that was found; one whose outcome is not known yet among them. */
interface FoundPayment {
  readonly id: string;
  readonly entityId: string;
  readonly type: string;
  readonly brand: string | null;
  readonly createdAtMs: number;
}

/** All payments of the entities with a merchantTransactionId, newest first. @throws StoreUnavailableError */
export async function findByReference(
  store: Store,
  entityIds: readonly string[],
  reference: string,
): Promise<readonly FoundPayment[]> {
  const found = new Map<string, FoundPayment>();
  const limit = MAX_FOUND;
  for (const entityId of entityIds) {
    for (const state of UNTIL_DONE) {
      for (const intent of await store.find('intents', 'reference', [entityId, reference, state], {
        limit,
      })) {
        const { draft } = detailOf(intent);
        found.set(draft.id, foundOf(draft));
      }
    }
    const ended = await store.find('payments', 'reference', [entityId, reference], { limit });
    for (const payment of ended) found.set(payment.id, foundOf(payment));
  }
  return [...found.values()].sort((a, b) => b.createdAtMs - a.createdAtMs || (a.id < b.id ? -1 : 1));
}

function foundOf(payment: PaymentRow): FoundPayment {
  const { id, entityId, brand, createdAtMs } = payment;
  return { id, entityId, type: paymentTypeOf(payment), brand, createdAtMs };
}
