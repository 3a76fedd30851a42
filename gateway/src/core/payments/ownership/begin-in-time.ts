import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { TryLaterError } from '../../../kernel/errors/try-later-error.js';
import type { Owner } from '../../../kernel/nodes/node-lease.js';
import type { Change } from '../../../kernel/store/store.js';
import { messageGuards } from '../rules/message-changes.js';
import type { Origin } from '../rules/requests.js';
import { asNow, ownerGuard } from './own-intents.js';

/**
 * How long a request may take until its payment is committed as begun or refused, in milliseconds: it waits for its turn behind others on the same
 * payment, for an original without an outcome, for gates.
 */
export const BEGIN_LIMIT_MS = 20_000;

/** What a request is begun with. */
export interface BeginContext {
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly node?: Owner;
  /** Of a request that has not begun: until when it may, by the monotonic clock. */
  readonly beginsByMs?: number;
}

/**
 * The context of a request that has just come: it begins with the lease that the node has now, and within {@link BEGIN_LIMIT_MS}, or not at all. A
 * query that finds nothing later than that is final: no payment of the request appears after it.
 */
export function ofRequest<C extends BeginContext>(context: C): C {
  return { ...asNow(context), beginsByMs: context.clock.monotonicMs() + BEGIN_LIMIT_MS };
}

/** How long the request may wait until it begins, in milliseconds. */
export function leftToBeginMs({ clock, beginsByMs }: BeginContext): number {
  return beginsByMs === undefined ? BEGIN_LIMIT_MS : Math.max(0, beginsByMs - clock.monotonicMs());
}

/**
 * Guards of the commit that makes the first row of a payment, be it an intent or a refusal.
 * @throws TryLaterError when the time to begin is over: its client may have been answered that there is no such payment
 */
export function beginGuards(context: BeginContext, origin: Origin): readonly Change[] {
  if (leftToBeginMs(context) === 0)
    throw new TryLaterError('the request could not begin in time: nothing was done');
  return [...messageGuards(origin), ...ownerGuard(context)];
}
