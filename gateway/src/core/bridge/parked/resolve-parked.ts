import { clearAlert } from '../../../kernel/alerts/alert-changes.js';
import type { ParkedRow } from '../../../kernel/store/rows.js';
import type { Store } from '../../../kernel/store/store.js';
import { parkedSubject } from './parked-subject.js';

/** States of messages that a person still has to resolve. */
export const OPEN_PARKED: readonly ParkedRow['state'][] = ['waiting', 'retry'];

/** Has a gateway process a message again. One whose content was not kept cannot be. @throws CommitConflict, StoreUnavailableError */
export async function retryLater(store: Pick<Store, 'commit'>, parked: ParkedRow): Promise<ParkedRow> {
  const row = { ...parked, state: 'retry' } as const;
  await store.commit([{ op: 'update', table: 'parked', row }]);
  return row;
}

/** Drops a message that was resolved otherwise, and deletes its content. @throws CommitConflict, StoreUnavailableError */
export async function dropParked(
  store: Pick<Store, 'commit'>,
  parked: ParkedRow,
  note: string,
  nowMs: number,
): Promise<ParkedRow> {
  const row = { ...parked, state: 'dropped', note, message: null, keyId: null } as const;
  await store.commit([
    { op: 'update', table: 'parked', row },
    clearAlert('message-parked', parkedSubject(row), nowMs),
  ]);
  return row;
}
