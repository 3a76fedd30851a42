import type { Store } from '../store/store.js';
import { detailOf } from './intent-detail.js';

/** Payments that one reference finds at most; more of one reference is no reference any more. */
const MAX_FOUND = 500;

/** A payment that was found; one whose outcome is not known yet among them. */
export interface FoundPayment {
  readonly id: string;
  readonly type: string;
  readonly createdAtMs: number;
}

/** All payments of an entity with a merchantTransactionId, newest first. @throws StoreUnavailableError */
export async function findByReference(
  store: Store,
  entityId: string,
  reference: string,
): Promise<readonly FoundPayment[]> {
  // Open ones first: what ends between the two looks is found by the second.
  const open = (await store.find('intents', 'state', ['open']))
    .filter((intent) => intent.entityId === entityId)
    .map((intent) => detailOf(intent).draft)
    .filter((draft) => draft.reference === reference);
  const ended = await store.find('payments', 'reference', [entityId, reference], { limit: MAX_FOUND });
  const found = new Map<string, FoundPayment>();
  for (const { id, type, createdAtMs } of [...open, ...ended]) found.set(id, { id, type, createdAtMs });
  return [...found.values()].sort((a, b) => b.createdAtMs - a.createdAtMs || (a.id < b.id ? -1 : 1));
}
