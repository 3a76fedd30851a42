import type { CartPaymentRow } from '@tillbridge/gateway/kernel/store/rows.js';
import type { Change, Store } from '@tillbridge/gateway/kernel/store/store.js';
import { redirected } from './redirected.js';

/** Deliberate bugs of orders that gift cards pay for. */

/** The merchant with gift cards, and the name of the other one. */
const OWN = 'd'.repeat(32);
const OTHER = 'Cart 2';

/** Merchants of one gateway count as one. */
export function knowsNoOwners(store: Store): Store {
  return redirected(store, {
    get: async (table: 'entities', key: readonly [string]) => {
      const row = await store.get(table, key);
      return table === 'entities' && row?.name === OTHER ? { ...row, parentId: OWN } : row;
    },
  });
}

/** Empty commits that an order waits for at most. */
const MOST_WAITING = 200;

/** An order takes a gift-card payment as it was when the order came, however late its commit is. */
export function takesPartsAsTheyWere(store: Store): Store {
  return redirected(store, {
    commit: async (changes: readonly Change[]) => {
      const parts = changes.flatMap((change) => (isTaken(change) ? change.row.paymentId : []));
      if (parts.length === 0) return store.commit(changes);
      const isPart = (change: Change): boolean =>
        change.op === 'update' && change.table === 'payments' && parts.includes(change.row.id);
      const givenBack = async (): Promise<boolean> => {
        const rows = await Promise.all(parts.map((id) => store.get('payments', [id])));
        return rows.some((row) => row && row.refundedMinor + row.reversedMinor > 0);
      };
      for (let waited = 0; waited < MOST_WAITING && !(await givenBack()); waited += 1) await store.commit([]);
      return store.commit(changes.filter((change) => !isPart(change)));
    },
  });
}

/** What gift cards paid for an order that is refused stays paid. */
export function keepsPartsOfUnpaid(store: Store): Store {
  const kept = (change: Change): Change =>
    change.op === 'update' && change.table === 'cartPayments' && change.row.state === 'reversing'
      ? { ...change, row: { ...change.row, state: 'kept', dueAtMs: null } }
      : change;
  return redirected(store, { commit: (changes: readonly Change[]) => store.commit(changes.map(kept)) });
}

function isTaken(change: Change): change is Change & { readonly op: 'insert'; readonly row: CartPaymentRow } {
  return change.op === 'insert' && change.table === 'cartPayments' && change.row.state === 'open';
}
