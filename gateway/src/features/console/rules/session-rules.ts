import type { UserRow, UserSessionRow } from '../../../kernel/store/rows.js';

/** Limits of sessions, in milliseconds unless they are numbers of something. */
export const SESSION_LIMITS = {
  /** Without a person at the page a session ends (PCI DSS 8.2.8). */
  idleMs: 15 * 60_000,
  /** A session ends so long after the sign-in, whatever is done in it. */
  lifetimeMs: 12 * 3_600_000,
  /** How often it is written that a person is there, at most. */
  seenStepMs: 60_000,
  /** A replaced id is good for requests that were under way. */
  replacedMs: 10_000,
  /** Sessions of one user; beyond it the oldest ends. */
  perUser: 10,
} as const;

/** What becomes of a request with a session. */
export type SessionVerdict = 'good' | 'rotate' | 'ended';

/** Decides whether a session counts: its user is active, and it is neither too old nor unused. `rotate`: roles changed, it gets another id. Pure. */
export function judgeSession(
  session: UserSessionRow,
  user: Pick<UserRow, 'state' | 'rolesChangedAtMs'> | undefined,
  nowMs: number,
): SessionVerdict {
  if (user?.state !== 'active') return 'ended';
  const { seenAtMs, signedInAtMs, endsAtMs, createdAtMs } = session;
  const isOver =
    nowMs >= endsAtMs ||
    nowMs - signedInAtMs >= SESSION_LIMITS.lifetimeMs ||
    nowMs - seenAtMs >= SESSION_LIMITS.idleMs;
  if (isOver) return 'ended';
  // One that ends soon was replaced already.
  const isReplaced = endsAtMs < signedInAtMs + SESSION_LIMITS.lifetimeMs;
  return createdAtMs < user.rolesChangedAtMs && !isReplaced ? 'rotate' : 'good';
}
