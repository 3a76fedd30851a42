import type { EntityRow } from '../store/rows.js';
import { type Change, CommitConflict, type Store } from '../store/store.js';

/** Rows that `seed` wants to be there. */
export type Wanted = Extract<Change, { op: 'insert' }>;

/** Inserts a row unless its key is taken already. @throws StoreUnavailableError */
export async function ensureRow(store: Store, wanted: Wanted): Promise<void> {
  try {
    await store.commit([wanted]);
  } catch (error) {
    if (!(error instanceof CommitConflict) || error.conflict.kind !== 'unique') throw error;
  }
}

/** A merchant, or a channel of one. */
export function entityRow(
  id: string,
  name: string,
  parentId: string | null,
  nowMs: number,
  compatibility: EntityRow['compatibility'] = 'specification',
): EntityRow {
  return {
    id,
    kind: parentId === null ? 'merchant' : 'channel',
    parentId,
    name,
    compatibility,
    createdAtMs: nowMs,
    version: 1,
  };
}
