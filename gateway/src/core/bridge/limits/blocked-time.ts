import type { BridgeLimits } from './bridge-limits.js';

/** How long the message at the head of a stream has blocked it. */
export interface BlockedTime {
  readonly messageId: string;
  /** Monotonic milliseconds of its last try. */
  readonly triedAtMs: number;
  readonly blockedMs: number;
}

/** A try without a decision. */
export interface VainTry {
  readonly messageId: string;
  /** Monotonic milliseconds. */
  readonly atMs: number;
  /** Something that every message needs is unavailable: the time since the last try does not count. */
  readonly outage: boolean;
}

/**
 * Adds a try without a decision (pure). Time counts from try to try, up to twice the longest wait between two: while the agent was
 * away, its message blocked nothing.
 */
export function blockedTime(
  before: BlockedTime | undefined,
  { messageId, atMs, outage }: VainTry,
  { retryMaxMs }: Pick<BridgeLimits, 'retryMaxMs'>,
): BlockedTime {
  if (before?.messageId !== messageId) return { messageId, triedAtMs: atMs, blockedMs: 0 };
  const sinceMs = outage ? 0 : Math.min(atMs - before.triedAtMs, 2 * retryMaxMs);
  return { messageId, triedAtMs: atMs, blockedMs: before.blockedMs + sinceMs };
}
