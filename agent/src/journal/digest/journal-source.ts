import { type Checkpoint, readCheckpoint } from '../compaction.js';
import { CHECKPOINT_ROW, type Journal } from '../journal.js';
import type { DigestBase, DigestSource } from './journal-digest.js';

/** A journal as its digest tree is computed. */
export function journalSource(journal: Pick<Journal, 'lastOfKind' | 'leaves'>): DigestSource {
  return {
    base: async () => {
      const row = await journal.lastOfKind(CHECKPOINT_ROW);
      return digestBase(row && readCheckpoint(row));
    },
    leaves: (afterRow, limit) => journal.leaves(afterRow, limit),
  };
}

/** What a checkpoint leaves of the tree; undefined where it has no peaks. */
export function digestBase(checkpoint: Checkpoint | undefined): DigestBase | undefined {
  if (!checkpoint) return { row: 0, peaks: [] };
  return checkpoint.peaks && { row: checkpoint.base.row, peaks: checkpoint.peaks };
}
