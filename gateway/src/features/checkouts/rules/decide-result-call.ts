import type { CheckoutRow } from '../../../kernel/store/rows.js';
import type { PostedBefore } from './posted-before.js';

/** Bounds of the calls to a shop. */
export const RESULT_CALL_LIMITS = {
  /** Calls for what was posted last, while they fail. */
  tries: 3,
  /** From a call that failed to the next, in milliseconds. */
  retryMs: 15_000,
  /** How long one may take, in milliseconds. */
  timeoutMs: 10_000,
  /** How often a post is looked at that has not come to an end yet, in milliseconds. */
  lookAgainMs: 1_000,
  /** How long after the end of the checkout a last submission is still reported, in milliseconds. */
  graceMs: 60_000,
} as const;

/** A call that was made: what came back, or why nothing did. */
export interface ResultCall {
  readonly atMs: number;
  readonly status?: number;
  readonly fault?: string;
}

/**
 * Decides whether a shop is called now, is looked at again later, or not at all any more. A payment that waits for its shopper is reported as it
 * is: its own deadline may be after the end of the checkout. Pure.
 */
export function decideResultCall(
  { state, posted, readAtMs, expiresAtMs }: CheckoutRow,
  before: Pick<PostedBefore, 'state' | 'wait'> | undefined,
  nowMs: number,
): 'call' | { readonly dueAtMs: number | null } {
  const isWanted = state === 'open' && posted !== null && readAtMs === null;
  if (!isWanted || nowMs >= expiresAtMs + RESULT_CALL_LIMITS.graceMs) return { dueAtMs: null };
  const isOnItsWay = before === undefined || (before.state === 'pending' && before.wait === undefined);
  return isOnItsWay ? { dueAtMs: nowMs + RESULT_CALL_LIMITS.lookAgainMs } : 'call';
}
