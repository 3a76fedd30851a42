import type { PaymentRow } from '../../store/rows.js';
import type { Store } from '../../store/store.js';
import type { FollowUpRequest } from '../decide/requests.js';
import { intentOfMessage, intentOfPayment } from './find-intent.js';
import type { PaymentContext } from './payment-context.js';

/** The payment that a follow-up names, or why there is none. */
export type FoundTarget =
  | {
      readonly state: 'found';
      readonly target: PaymentRow;
      readonly root: PaymentRow;
      /** It belongs to another channel of the same merchant. */
      readonly otherChannel?: true;
    }
  /** An intent whose outcome is not known yet. */
  | { readonly state: 'open'; readonly intentId: string }
  /** The message was answered without a payment: there is nothing to follow. */
  | { readonly state: 'no-payment' }
  | { readonly state: 'unknown' };

/** Looks up the payment that a follow-up names; a foreign merchant's is unknown (P8). */
export async function findTarget(context: PaymentContext, request: FollowUpRequest): Promise<FoundTarget> {
  const { target, origin } = request;
  const found =
    target.by === 'payment'
      ? await byPaymentId(context, target.paymentId)
      : await byMessage(context, origin.kind === 'bridge' ? origin.agentId : '', target.messageId);
  if (found.state !== 'found' || found.target.entityId === origin.entityId) return found;
  const isOurs = await isSameMerchant(context.store, found.target.entityId, origin.entityId);
  return isOurs ? { ...found, otherChannel: true } : { state: 'unknown' };
}

/** Whether two entities belong to one merchant. @throws StoreUnavailableError */
export async function isSameMerchant(store: Store, one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all([store.get('entities', [one]), store.get('entities', [other])]);
  return first !== undefined && (first.parentId ?? first.id) === (second?.parentId ?? second?.id);
}

async function byPaymentId(context: PaymentContext, paymentId: string): Promise<FoundTarget> {
  const payment = await context.store.get('payments', [paymentId]);
  if (payment) return withRoot(context, payment);
  const intent = await intentOfPayment(context.store, paymentId);
  // The outcome may have been written between the two reads: then the intent is done and the caller looks again.
  return intent ? { state: 'open', intentId: intent.id } : { state: 'unknown' };
}

async function byMessage(context: PaymentContext, agentId: string, messageId: string): Promise<FoundTarget> {
  const { store } = context;
  const intent = await intentOfMessage(store, agentId, messageId);
  if (intent?.state === 'open') return { state: 'open', intentId: intent.id };
  const [payment] = await store.find('payments', 'message', [agentId, messageId], { limit: 1 });
  if (payment) return withRoot(context, payment);
  return (await store.get('inbox', [agentId, messageId])) ? { state: 'no-payment' } : { state: 'unknown' };
}

async function withRoot({ store }: PaymentContext, target: PaymentRow): Promise<FoundTarget> {
  const root = target.rootId === null ? target : await store.get('payments', [target.rootId]);
  return root ? { state: 'found', target, root } : { state: 'unknown' };
}
