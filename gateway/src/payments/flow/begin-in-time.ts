import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import { TryLaterError } from '../../errors/try-later-error.js';
import type { Change } from '../../store/store.js';
import { messageGuards } from '../decide/message-changes.js';
import type { Origin } from '../decide/requests.js';
import { asNow, ownerGuard } from '../ownership/own-intents.js';
import { PAYMENT_LIMITS, type PaymentContext } from './payment-context.js';

/**
 * The context of a request that has just come: it begins with the lease that the node has now, and within {@link PAYMENT_LIMITS.beginMs}, or not at
 * all. A query that finds nothing later than that is final: no payment of the request appears after it.
 */
export function ofRequest(context: PaymentContext): PaymentContext {
  return { ...asNow(context), beginsByMs: context.clock.monotonicMs() + PAYMENT_LIMITS.beginMs };
}

/** How long the request may wait until it begins, in milliseconds. */
export function leftToBeginMs({ clock, beginsByMs }: BeginsInTime): number {
  return beginsByMs === undefined ? PAYMENT_LIMITS.beginMs : Math.max(0, beginsByMs - clock.monotonicMs());
}

/**
 * Guards of the commit that makes the first row of a payment, be it an intent or a refusal.
 * @throws TryLaterError when the time to begin is over: its client may have been answered that there is no such payment
 */
export function beginGuards(context: PaymentContext, origin: Origin): readonly Change[] {
  if (leftToBeginMs(context) === 0)
    throw new TryLaterError('the request could not begin in time: nothing was done');
  return [...messageGuards(origin), ...ownerGuard(context)];
}

interface BeginsInTime {
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly beginsByMs?: number;
}
