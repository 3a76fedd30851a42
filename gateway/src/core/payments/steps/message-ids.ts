import { newTimeOrderedId } from '../../../kernel/store/new-id.js';
import type { BridgeOrigin, Origin } from '../rules/requests.js';
import type { PaymentContext } from './payment-context.js';

/** Ids of a new payment; made before anything is done, so that running work can be found by them. */
export interface NewIds {
  readonly paymentId: string;
  readonly intentId: string;
}

/** Digits of an id that are its time: rows of one day stand together. */
const TIME_DIGITS = 12;

/**
 * Ids of the rows that a request creates. The ids of an agent's message are derived from agent and message id. So the acquirer recognises
 * the same message again, even after the gateway's database was restored from a copy. The intent of a payment whose id was given out before
 * is derived from that: of two nodes at work on it, one of which had been taken for gone, one alone can begin it.
 */
export function newIds(context: PaymentContext, origin: Origin): NewIds {
  const fresh = (): string => newTimeOrderedId(context.random, context.clock.nowMs());
  if (origin.kind === 'rest') {
    const { paymentId } = origin;
    if (paymentId === undefined) return { paymentId: fresh(), intentId: fresh() };
    const own = context.fingerprint('intent', JSON.stringify([paymentId]));
    return { paymentId, intentId: paymentId.slice(0, TIME_DIGITS) + own.slice(TIME_DIGITS, 32) };
  }
  return { paymentId: derived(context, 'payment', origin), intentId: intentIdOf(context, origin) };
}

/** The acquirer reference of an agent's message: 32 lowercase hex. */
export function intentIdOf(context: Pick<PaymentContext, 'fingerprint'>, message: MessageName): string {
  return derived(context, 'intent', message);
}

type MessageName = Pick<BridgeOrigin, 'agentId' | 'messageId'>;

function derived(
  { fingerprint }: Pick<PaymentContext, 'fingerprint'>,
  what: 'payment' | 'intent',
  { agentId, messageId }: MessageName,
): string {
  return fingerprint(what, JSON.stringify([agentId, messageId])).slice(0, 32);
}
