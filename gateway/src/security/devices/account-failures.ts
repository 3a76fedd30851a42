import type { AccountFailuresRow } from '../../kernel/store/rows.js';
import type { Change } from '../../kernel/store/store.js';

/** Limits of account data that cannot be taken. */
export const ACCOUNT_FAILURE_LIMITS = {
  /** Failures of a device within the window at which nothing more is taken from it. */
  device: 10,
  /** Failures of an entity, of whatever device, at which no account data is taken from it. */
  entity: 100,
  /** The window: from the first failure that counts to the end of the lock, in milliseconds. */
  windowMs: 24 * 3_600_000,
  /** Every failure is answered this long after its request began, in milliseconds: longer than any of them takes. */
  answerMs: 250,
} as const;

/** What failures are counted for. */
export type FailureSubject = Pick<AccountFailuresRow, 'kind' | 'subject'>;

/** Whether the failures of a subject have reached its limit. */
export function isLocked(row: AccountFailuresRow | undefined, nowMs: number): boolean {
  return row !== undefined && isCurrent(row, nowMs) && row.failures >= ACCOUNT_FAILURE_LIMITS[row.kind];
}

/** The change that counts one failure more, and whether it is the one that locks. A lock is not made longer. Pure. */
export function countFailure(
  { kind, subject }: FailureSubject,
  stored: AccountFailuresRow | undefined,
  nowMs: number,
): { readonly change: Change; readonly locks: boolean } {
  const counted = stored && isCurrent(stored, nowMs) ? stored : undefined;
  const failures = (counted?.failures ?? 0) + 1;
  const sinceMs = counted?.sinceMs ?? nowMs;
  const table = 'accountFailures';
  const row = { kind, subject, failures, sinceMs, version: stored?.version ?? 1 };
  return {
    change: stored ? { op: 'update', table, row } : { op: 'insert', table, row },
    locks: failures === ACCOUNT_FAILURE_LIMITS[kind],
  };
}

/** A clock that was set back counts too. */
function isCurrent({ sinceMs }: AccountFailuresRow, nowMs: number): boolean {
  return nowMs < sinceMs + ACCOUNT_FAILURE_LIMITS.windowMs;
}
