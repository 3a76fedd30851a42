import type { CheckoutRow } from '../../../kernel/store/rows.js';
import { CHECKOUT_LIMITS } from './checkout-limits.js';
import type { PostedBefore } from './posted-before.js';

/** What becomes of a post: */
type PostVerdict =
  /** it begins; */
  | 'begin'
  /** the one before has its outcome, or gets it from another process: that is answered; */
  | 'answer'
  /** the one before waits for the shopper, who has changed their mind: it is ended, and then looked at again; */
  | 'end-wait'
  /** the one before is on its way; */
  | 'busy'
  /** too many were sent. */
  | 'spent';

/** Decides what becomes of payment details that a browser posts. A checkout has one payment that is approved, or may be. Pure. */
export function decidePost(
  { attempts }: Pick<CheckoutRow, 'attempts'>,
  before: Pick<PostedBefore, 'state' | 'wait'> | undefined,
  maxAttempts: number,
): PostVerdict {
  if (before && before.state !== 'declined') {
    if (before.state !== 'pending') return 'answer';
    if (before.wait === undefined) return 'busy';
    const isShoppers = before.wait === 'challenge' || before.wait === 'redirect';
    return isShoppers ? (attempts >= maxAttempts ? 'spent' : 'end-wait') : 'answer';
  }
  return attempts >= maxAttempts ? 'spent' : 'begin';
}

/** A checkout that ends now: nothing can be posted to it any more, and what was goes on. Pure. */
export function endedCheckout(row: CheckoutRow, nowMs: number): CheckoutRow {
  return { ...row, expiresAtMs: Math.min(row.expiresAtMs, nowMs) };
}

/**
 * The same of a checkout in whose place another one comes, while none of its payments is approved or may be: what was posted to it and has
 * begun nothing yet begins nothing any more. Pure.
 */
export function replacedCheckout(row: CheckoutRow, isBegun: boolean, nowMs: number): CheckoutRow {
  const keptUntilMs = row.createdAtMs + CHECKOUT_LIMITS.keptMs;
  return { ...endedCheckout(row, nowMs), keptUntilMs, ...(!isBegun && { posted: null, postedId: null }) };
}

/** When the shop is called with the result of what is posted now, unless it fetches it before: at minute 29, or at once after it. Pure. */
export function resultCallAtMs({ createdAtMs }: Pick<CheckoutRow, 'createdAtMs'>, nowMs: number): number {
  return Math.max(nowMs, createdAtMs + CHECKOUT_LIMITS.resultCallAfterMs);
}
