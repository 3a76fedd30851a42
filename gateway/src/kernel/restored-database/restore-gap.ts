import { clearAlert } from '../alerts/alert-changes.js';
import { type AuditDeps, auditOf } from '../audit/audit.js';
import { OperatorError } from '../errors/operator-error.js';
import type { RestoreGapRow } from '../store/rows.js';
import { CommitConflict, type Store } from '../store/store.js';

/** Code of the alert that stands while a gap is open. */
export const RESTORE_ALERT = 'database-restored';
/** What it is about. */
export const RESTORE_SUBJECT = 'database';

/** The answer to a held request. */
export const RESTORE_HELD =
  'the database was put back from a backup: an operator has to confirm it first (restore confirm)';

/** How long after an operator has confirmed the database records of before are taken, in milliseconds. */
const LATE_RECORDS_MS = 30 * 24 * 3_600_000;

type Reads = Pick<Store, 'get'>;

/** The last gap, open or closed; undefined where this database was never put back. @throws StoreUnavailableError */
export function lastRestoreGap(store: Reads): Promise<RestoreGapRow | undefined> {
  return store.get('restoreGaps', [RESTORE_SUBJECT]);
}

/** The gap that no operator has confirmed yet. @throws StoreUnavailableError */
export async function openRestoreGap(store: Reads): Promise<RestoreGapRow | undefined> {
  const gap = await lastRestoreGap(store);
  return gap?.closedAtMs === null ? gap : undefined;
}

/** Whether something that is as old as this may have been revoked in the time that was forgotten. @throws StoreUnavailableError */
export async function isHeld(store: Reads, createdAtMs: number): Promise<boolean> {
  const gap = await openRestoreGap(store);
  return gap?.isWhole === 0 && createdAtMs < gap.foundAtMs;
}

/**
 * What becomes of a record of a sale that may have been taken already: it waits for the operator, is taken, or comes too late.
 * @throws StoreUnavailableError
 */
export async function lateRecords(store: Reads, nowMs: number): Promise<'wait' | 'take' | 'refuse'> {
  const gap = await lastRestoreGap(store);
  if (gap?.closedAtMs === null) return 'wait';
  return gap && nowMs < gap.closedAtMs + LATE_RECORDS_MS ? 'take' : 'refuse';
}

/** What a confirmation works with. */
interface ConfirmDeps extends AuditDeps {
  readonly store: Pick<Store, 'get' | 'commit'>;
  /** Who confirms, for the audit record. */
  readonly actor: string;
}

/** Ends what is held since the database was put back. @throws OperatorError where nothing is, or another operator was faster */
export async function confirmRestore(deps: ConfirmDeps, note: string): Promise<RestoreGapRow> {
  const open = await openRestoreGap(deps.store);
  if (!open) throw new OperatorError('nothing is held: this database was not put back, or is confirmed');
  const closedAtMs = deps.clock.nowMs();
  const row = { ...open, closedAtMs, note };
  const entry = { actor: deps.actor, action: 'restore confirm', subject: RESTORE_SUBJECT, detail: { note } };
  try {
    await deps.store.commit([
      { op: 'update', table: 'restoreGaps', row },
      clearAlert(RESTORE_ALERT, RESTORE_SUBJECT, closedAtMs),
      auditOf(deps, entry),
    ]);
  } catch (error) {
    if (!(error instanceof CommitConflict)) throw error;
    throw new OperatorError('what is held has just changed: look again with "restore show"');
  }
  return row;
}
