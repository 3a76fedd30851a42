import { findAll } from '../../../kernel/store/all-rows.js';
import type { PaymentRow } from '../../../kernel/store/rows.js';
import type { Store } from '../../../kernel/store/store.js';
import { detailOf } from '../rules/intent-detail.js';

/** Payments of one family that are followed at most. */
const MAX_LINKED = 1_000;

/**
 * The payment and all that are linked with it: what it follows, and what follows that, over all steps; oldest first. The one follow-up whose outcome
 * is not known yet is among them.
 * @throws StoreUnavailableError
 */
export async function linkedPayments(
  store: Pick<Store, 'get' | 'find'>,
  payment: PaymentRow,
): Promise<readonly PaymentRow[]> {
  const found = new Map([[payment.id, payment]]);
  const open = [payment];
  while (found.size < MAX_LINKED) {
    const next = open.pop();
    if (!next) break;
    for (const row of await adjacent(store, next)) {
      // Links stay within one merchant, whose channels a read may name one by one.
      if (found.has(row.id) || row.entityId !== payment.entityId) continue;
      found.set(row.id, row);
      open.push(row);
    }
  }
  return [...found.values()].sort((a, b) => a.createdAtMs - b.createdAtMs || (a.id < b.id ? -1 : 1));
}

async function adjacent(
  store: Pick<Store, 'get' | 'find'>,
  { id, rootId, referencedId, lockedBy }: PaymentRow,
): Promise<readonly PaymentRow[]> {
  // Read before the payments: one that ends meanwhile is found among them.
  const running = lockedBy === null ? undefined : await store.get('intents', [lockedBy]);
  const above = [rootId, referencedId].filter((each) => each !== null);
  const followed = await Promise.all(above.map((each) => store.get('payments', [each])));
  const following = await Promise.all([
    findAll(store, 'payments', 'root', [id]),
    findAll(store, 'payments', 'referenced', [id]),
  ]);
  const pending = running && running.state !== 'done' ? [detailOf(running).draft] : [];
  return [...followed.filter((row) => row !== undefined), ...following.flat(), ...pending];
}
