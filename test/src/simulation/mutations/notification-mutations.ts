import type { DeliverDeps } from '@tillbridge/gateway/features/webhooks/deliver.js';
import type { Change, Store } from '@tillbridge/gateway/kernel/store/store.js';
import { redirected } from './redirected.js';

/** Deliberate bugs of notifications. */

/** Whatever a server answers, it has taken the notification. */
export function takesAnyStatus(egress: DeliverDeps['egress']): DeliverDeps['egress'] {
  return { send: async (request) => ({ ...(await egress.send(request)), status: 204 }) };
}

/** An event gets a second number. */
export function numbersTwice(store: Store): Store {
  return redirected(store, {
    commit: (changes: readonly Change[]) =>
      store.commit(
        changes.flatMap((change): Change[] =>
          change.op === 'append-delivery' ? [change, change] : [change],
        ),
      ),
  });
}

/** A payment that ends as declined is notified to no merchant. */
export function notifiesNoDeclines(store: Store): Store {
  return redirected(store, {
    commit: (changes: readonly Change[]) => {
      const isDeclined = changes.some(
        (change) => change.op === 'insert' && change.table === 'payments' && change.row.state === 'declined',
      );
      return store.commit(isDeclined ? changes.filter(({ op }) => op !== 'append-delivery') : changes);
    },
  });
}
