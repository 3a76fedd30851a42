import type { IntentRow, PaymentRow } from '../../../kernel/store/rows.js';
import type { Store } from '../../../kernel/store/store.js';
import { intentOfMessage, intentOfPayment } from '../lookup/find-intent.js';
import type { FollowUpRequest } from '../rules/requests.js';
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

/** What a name stands for, for any caller; a message without a payment belongs to its sender. */
type Named = { readonly entityId: string; readonly found: FoundTarget } | 'no-payment' | undefined;

/** Looks up the payment that a follow-up names; a foreign merchant's is unknown, with or without an outcome (P8). */
export async function findTarget(context: PaymentContext, request: FollowUpRequest): Promise<FoundTarget> {
  const { target, origin } = request;
  const named =
    target.by === 'payment'
      ? await byPaymentId(context, target.paymentId)
      : await byMessage(context, origin.kind === 'bridge' ? origin.agentId : '', target.messageId);
  if (named === 'no-payment') return { state: 'no-payment' };
  if (!named || named.entityId === origin.entityId) return named?.found ?? { state: 'unknown' };
  if (!(await isSameMerchant(context.store, named.entityId, origin.entityId))) return { state: 'unknown' };
  return named.found.state === 'found' ? { ...named.found, otherChannel: true } : named.found;
}

/** Whether two entities belong to one merchant. @throws StoreUnavailableError */
export async function isSameMerchant(store: Store, one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all([store.get('entities', [one]), store.get('entities', [other])]);
  return first !== undefined && (first.parentId ?? first.id) === (second?.parentId ?? second?.id);
}

async function byPaymentId(context: PaymentContext, paymentId: string): Promise<Named> {
  const payment = await context.store.get('payments', [paymentId]);
  if (payment) return withRoot(context, payment);
  // The outcome may have been written between the two reads: then the intent is done and the caller looks again.
  return openTarget(await intentOfPayment(context.store, paymentId));
}

async function byMessage(context: PaymentContext, agentId: string, messageId: string): Promise<Named> {
  const { store } = context;
  const intent = await intentOfMessage(store, agentId, messageId);
  if (intent?.state === 'open') return openTarget(intent);
  const [payment] = await store.find('payments', 'message', [agentId, messageId], { limit: 1 });
  if (payment) return withRoot(context, payment);
  return (await store.get('inbox', [agentId, messageId])) ? 'no-payment' : undefined;
}

function openTarget(intent: IntentRow | undefined): Named {
  return intent && { entityId: intent.entityId, found: { state: 'open', intentId: intent.id } };
}

async function withRoot({ store }: PaymentContext, target: PaymentRow): Promise<Named> {
  const root = target.rootId === null ? target : await store.get('payments', [target.rootId]);
  return root && { entityId: target.entityId, found: { state: 'found', target, root } };
}
