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

/** Something that an operator does, or a merchant's administrator or user over REST. */
export interface AuditEntry {
  /** User of the operating system; over REST `token ` or `user `, and the id. */
  readonly actor: string;
  /** The command as it is typed, such as `token create`. */
  readonly action: string;
  /** Id of the token, key, device or user. */
  readonly subject: string;
  /** What else distinguishes one act from another; nothing secret. */
  readonly detail: Readonly<Record<string, unknown>>;
  /** The merchant or channel that it is about; absent: the gateway itself. */
  readonly entityId?: string;
}

/** The record of what happens in the same commit. */
export function auditOf(
  deps: Omit<AuditDeps, 'store'>,
  entry: AuditEntry,
  outcome: AuditRow['outcome'] = 'done',
): Change {
  return { op: 'insert', table: 'audit', row: auditRow(deps, entry, outcome) };
}

/**
 * Does work outside the database with a record of it: one committed before the work begins, another when it has ended. Without a record
 * nothing is done; after a crash the first is left alone.
 * @throws what the work throws; StoreUnavailableError
 */
export async function withAudit<T>(
  deps: AuditDeps,
  entry: AuditEntry,
  work: () => T | Promise<T>,
): Promise<T> {
  const ends = await beginAudit(deps, entry);
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

/** Commits the record of work that begins, and gives what commits that of its end. @throws StoreUnavailableError */
export async function beginAudit(
  deps: AuditDeps,
  entry: AuditEntry,
): Promise<(outcome: 'done' | 'failed', more?: AuditEntry['detail']) => Promise<void>> {
  const begun = auditRow(deps, entry, 'begun');
  await deps.store.commit([{ op: 'insert', table: 'audit', row: begun }]);
  return async (outcome, more) => {
    const row = {
      ...auditRow(deps, { ...entry, detail: { ...entry.detail, ...more } }, outcome),
      endOf: begun.id,
    };
    await deps.store.commit([{ op: 'insert', table: 'audit', row }]);
  };
}

function auditRow(
  { clock, random }: Omit<AuditDeps, 'store'>,
  { detail, entityId, ...entry }: AuditEntry,
  outcome: AuditRow['outcome'],
): AuditRow {
  const createdAtMs = clock.nowMs();
  const id = newTimeOrderedId(random, createdAtMs);
  return {
    ...{ id, ...entry, outcome, endOf: null, entityId: entityId ?? null, detail: JSON.stringify(detail) },
    // The store gives it its place (audit-chain.ts).
    ...{ sequence: null, link: null, createdAtMs, version: 1 },
  };
}
