import type { BridgeLimits } from './bridge-limits.js';

/** How long the message at the head of a stream has held up what is behind it. */
export interface BlockedTime {
  readonly messageId: string;
  /** Monotonic milliseconds of its last try. */
  readonly triedAtMs: number;
  readonly blockedMs: number;
}

/** A try that decided nothing. */
export interface VainTry {
  readonly messageId: string;
  /** Monotonic milliseconds. */
  readonly atMs: number;
  /** Something that every message needs is away: the time since the last try says nothing against this one. */
  readonly outage: boolean;
}

/**
 * Adds a vain try (pure). Time counts from try to try, up to twice the longest wait between two: while the agent was away, its message
 * held up nothing.
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
