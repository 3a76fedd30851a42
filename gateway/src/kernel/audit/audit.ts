import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import { newTimeOrderedId } from '../store/new-id.js';
import type { AuditRow } from '../store/rows.js';
import type { Change, Store } from '../store/store.js';

/** What audit records are made with. */
export interface AuditDeps {
  readonly store: Pick<Store, 'commit'>;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly random: Random;
}

/** Something that an operator does, or a merchant's administrator over REST. */
interface AuditEntry {
  /** User of the operating system; over REST `token ` and the id of the access token. */
  readonly actor: string;
  /** The command as it is typed, such as `token create`. */
  readonly action: string;
  /** Id of the token, key or device. */
  readonly subject: string;
  /** What else distinguishes one act from another; nothing secret. */
  readonly detail: Readonly<Record<string, unknown>>;
}

/** The record of what happens in the same commit. */
export function auditOf(deps: Omit<AuditDeps, 'store'>, entry: AuditEntry): Change {
  return { op: 'insert', table: 'audit', row: auditRow(deps, entry, 'done') };
}

/**
 * Does work outside the database with a record of it: committed before the work begins, and again when it has ended. Without a record
 * nothing is done; after a crash the record is left as `begun`.
 * @throws what the work throws; StoreUnavailableError
 */
export async function withAudit<T>(
  deps: AuditDeps,
  entry: AuditEntry,
  work: () => T | Promise<T>,
): Promise<T> {
  const row = auditRow(deps, entry, 'begun');
  await deps.store.commit([{ op: 'insert', table: 'audit', row }]);
  const ends = (outcome: AuditRow['outcome']): Promise<void> =>
    deps.store.commit([{ op: 'update', table: 'audit', row: { ...row, outcome } }]);
  try {
    const result = await work();
    await ends('done');
    return result;
  } catch (error) {
    // The work's own error is thrown, even if the record cannot be written.
    await ends('failed').catch(() => undefined);
    throw error;
  }
}

function auditRow(
  { clock, random }: Omit<AuditDeps, 'store'>,
  { detail, ...entry }: AuditEntry,
  outcome: AuditRow['outcome'],
): AuditRow {
  const createdAtMs = clock.nowMs();
  const id = newTimeOrderedId(random, createdAtMs);
  return { id, ...entry, outcome, detail: JSON.stringify(detail), createdAtMs, version: 1 };
}
