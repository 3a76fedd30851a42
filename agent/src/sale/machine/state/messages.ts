import type { CardFingerprint } from '../../offline/card-fingerprint.js';
import type { OfflineApproval } from '../../offline/offline-policy.js';
import type { SaleOutcome } from './answer.js';
import type { SaleReason } from './facts.js';

/**
 * Where a durable message of a sale stands. `refused`: the gateway refused it, and another may take its place. `parked`: staff has to resolve it.
 * `withdrawn`: the agent took it out of the queue, and the gateway is not expected to answer it any more.
 */
type DeliveryStatus = 'queued' | 'acknowledged' | 'refused' | 'parked' | 'withdrawn';

interface Message<K extends string> {
  readonly kind: K;
  readonly messageId: string;
  readonly deliveryStatus: DeliveryStatus;
}

/** A message about an earlier one of the same sale. */
interface Referring<K extends string> extends Message<K> {
  readonly refersTo: string;
}

/** Reverses the sale, or clears the way for an offline record of the same sale (`preceding-reversal`). */
export interface ReversalMessage extends Referring<'reversal' | 'preceding-reversal'> {
  readonly reason: SaleReason;
  /** The outcome of the sale where the gateway finds nothing to reverse. */
  readonly otherwise: SaleOutcome;
  /** What the gateway reversed, in minor units; 0: nothing. Absent until it has, or where its answer names no amount. */
  readonly reversedMinor?: number;
}

/** The record of an offline approval. */
export interface OfflineMessage extends Message<'offline-record'> {
  readonly approval: OfflineApproval;
  readonly fingerprint?: CardFingerprint;
  /** Too old: it is sent as such, and the gateway refuses it unless it has answered it before. */
  readonly expired?: boolean;
}

/** One capture of a preauthorization. */
export interface CaptureMessage extends Referring<'capture'> {
  /** The till's name for it; absent: the till knows of one capture only. */
  readonly reference?: string;
  readonly minor: number;
  readonly final: boolean;
  /** The gateway's reason for a refusal. */
  readonly refusal?: string;
}

/** The approval code that the issuer gave on the phone. */
export interface VoiceMessage extends Referring<'voice-authorization'> {
  readonly approvalCode: string;
}

/** Makes sure that a message that never arrived is never taken. */
export type CancelIfUnseenMessage = Referring<'cancel-if-unseen'>;

/** A durable message of a sale, in its terminal's stream. */
export type SaleMessage =
  | ReversalMessage
  | OfflineMessage
  | CaptureMessage
  | VoiceMessage
  | CancelIfUnseenMessage;

/** The messages of a sale, oldest first. */
interface HasMessages {
  readonly messages: readonly SaleMessage[];
}

type Kind = SaleMessage['kind'];
type OfKind<K extends Kind> = Extract<SaleMessage, { readonly kind: K | Kind }> & { readonly kind: K };

function messagesOf<K extends Kind>({ messages }: HasMessages, kind: K): readonly OfKind<K>[] {
  return messages.filter((each): each is OfKind<K> => each.kind === kind);
}

/** The message with this id. */
export function messageOf({ messages }: HasMessages, messageId: string): SaleMessage | undefined {
  return messages.find((each) => each.messageId === messageId);
}

/** The newest reversal of the sale itself. */
export function reversalOf(sale: HasMessages): ReversalMessage | undefined {
  return messagesOf(sale, 'reversal').at(-1);
}

/** The newest reversal ahead of the sale's offline record. */
export function precedingReversalOf(sale: HasMessages): ReversalMessage | undefined {
  return messagesOf(sale, 'preceding-reversal').at(-1);
}

/** The sale's record made without the gateway. */
export function offlineRecordOf(sale: HasMessages): OfflineMessage | undefined {
  return messagesOf(sale, 'offline-record').at(-1);
}

/** The newest approval code. */
export function voiceOf(sale: HasMessages): VoiceMessage | undefined {
  return messagesOf(sale, 'voice-authorization').at(-1);
}

/** The captures in the order of the till's requests. */
export function capturesOf(sale: HasMessages): readonly CaptureMessage[] {
  return messagesOf(sale, 'capture');
}

/** Whether the message is parked. */
export function isParked({ deliveryStatus }: SaleMessage): boolean {
  return deliveryStatus === 'parked';
}

/** The messages that the gateway would not take. */
export function parkedMessages({ messages }: HasMessages): readonly SaleMessage[] {
  return messages.filter(isParked);
}

/** Whether the gateway took the message or may still take it; a parked one counts, because staff may have it tried again. */
export function isStanding({ deliveryStatus }: SaleMessage): boolean {
  return deliveryStatus !== 'refused' && deliveryStatus !== 'withdrawn';
}

/** Whether the gateway took the message, or will when it is reached. */
export function isAcknowledgedOrQueued({ deliveryStatus }: SaleMessage): boolean {
  return deliveryStatus === 'queued' || deliveryStatus === 'acknowledged';
}

/** Whether a reversal of the sale stands. */
export function isReversalStanding(sale: HasMessages): boolean {
  const own = reversalOf(sale);
  return own !== undefined && isStanding(own);
}
