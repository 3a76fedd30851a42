import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { LatePaymentRow, PaymentRow } from '../store/rows.js';
import type { Change, Store } from '../store/store.js';
import { withCommit } from '../store/with-commit.js';

/**
 * How much older than this moment a payment may be when it is stored, in milliseconds: slices of payments are made later than that, with room for
 * commits that wait and for clocks that differ.
 */
const LATE_MS = 15_000;

/**
 * The store, with a note on each payment that comes so late that the slice of its time may stand already: in the same commit, so that a search
 * finds it at once. A wall clock that is set back makes payments late, too.
 */
export function notingLatePayments(store: Store, clock: Pick<Clock, 'nowMs'>): Store {
  let highestMs = 0;
  return withCommit(store, (changes) => {
    highestMs = Math.max(highestMs, clock.nowMs());
    const late = changes.flatMap((change) =>
      change.op === 'insert' && change.table === 'payments' && change.row.createdAtMs < highestMs - LATE_MS
        ? [noteOf(change.row)]
        : [],
    );
    return store.commit(late.length === 0 ? changes : [...changes, ...late]);
  });
}

function noteOf({ id: paymentId, entityId, createdAtMs: atMs }: PaymentRow): Change {
  const row: LatePaymentRow = { paymentId, entityId, atMs, version: 1 };
  return { op: 'insert', table: 'latePayments', row };
}
