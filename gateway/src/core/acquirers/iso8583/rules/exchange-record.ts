import { isApproval, isWholeApproval } from '@tillbridge/wire/iso8583/exchange/approvals.js';
import type { ExchangeMessage, ExchangeTexts } from '@tillbridge/wire/iso8583/exchange/exchange-message.js';
import type { Money } from '@tillbridge/wire/payment/money.js';
import type { Sealed } from '../../../../security/vault/vault.js';
import type { MoneyRequestKind } from '../../acquirer.js';

/** Values that no journal may hold: card data, secrets, and what is of use to the host alone. */
const NEVER_STORED = [
  'pan',
  'expiry',
  'track2',
  'cvv',
  'pinBlock',
  'iccData',
  'billingStreet',
  'billingPostcode',
  'authenticationValue',
  'keyBlock',
  'zoneKey',
  'details',
] as const satisfies readonly (keyof ExchangeTexts)[];

/** A message without card data. */
export type StoredMessage = Omit<ExchangeMessage, (typeof NEVER_STORED)[number]>;

/**
 * Where an exchange with the host stands.
 * `sent`: journaled, and its bytes may have left. `answered`: the host has decided. `advice-pending`: a stand-in approval while no host
 * could be reached, and its advice is sent until the host answers. `reversing`: its outcome is unknown or no longer wanted, and a reversal is sent
 * until the host acknowledges it. `reversed`: it has, or this is the tombstone of an exchange that never began.
 */
type ExchangeState = 'sent' | 'answered' | 'advice-pending' | 'reversing' | 'reversed';

/** An approval that the gateway gave by itself. */
interface StandIn {
  readonly approvalCode: string;
  /** Whose payment it is. */
  readonly entityId?: string;
  readonly paymentId?: string;
  /** Times that its advice was sent. */
  readonly attempts: number;
  /** When it is sent next. */
  readonly nextAtMs: number;
}

/** The reversal of an exchange. */
export interface ReversalProgress {
  /** Number and time of the reversal itself: each repeat has the same. */
  readonly stan: string;
  readonly at: string;
  /** Times that it was sent. */
  readonly attempts: number;
  /** When it is sent next. */
  readonly nextAtMs: number;
  /** Since when it is sent again, where the host had acknowledged it before. */
  readonly againSinceMs?: number;
  /** Our acquirer reference of it, where the gateway requested it. */
  readonly reference?: string;
  /** What was approved, where that is more than this exchange. */
  readonly amount?: Money;
  /** What stays of the original amount; absent: nothing. */
  readonly remaining?: Money;
}

/** Money that the host moved. */
export interface HostMovement {
  /** On which of its settlement days, as a number: `yyyyMMdd`. */
  readonly day: number;
  /** In minor units. */
  readonly minor: number;
}

/** A part of a refund that gives back money of several captures: each is a separate message. */
export interface RefundPart {
  /** The acquirer reference of the capture. */
  readonly capture: string;
  readonly minor: number;
}

/** What an exchange is for the gateway. */
export interface ExchangePurpose {
  readonly operation: MoneyRequestKind;
  /** An authorization that takes the money too. */
  readonly captureNow?: boolean;
  /** The acquirer reference that it follows. */
  readonly originalReference?: string;
  /** The agent's message that caused it. */
  readonly messageId?: string;
  /** Fingerprint of its card, where the gateway stands in for the acquirer. */
  readonly card?: string;
  /** A trial sale of an operator, of no payment: its approval is reversed at once. */
  readonly isTrial?: boolean;
  /** A deferred authorization: after a reversal without an answer it is sent again, as a further part. */
  readonly deferred?: boolean;
  /** Of the first part of a refund: all parts, decided before the first one is sent. */
  readonly split?: readonly RefundPart[];
}

/** What the link journals of an exchange: without card data. */
export interface ExchangeRecord {
  /** Our acquirer reference. */
  readonly reference: string;
  /** Its place among all messages of the acquirer. Absent, as its request is, in a tombstone. */
  readonly sequence?: number;
  readonly request?: StoredMessage;
  readonly purpose?: ExchangePurpose;
  readonly state: ExchangeState;
  readonly answer?: StoredMessage;
  readonly reversal?: ReversalProgress;
  /** What the host took or gave for it; absent: nothing, or it states no settlement day. */
  readonly booked?: HostMovement;
  /** What it reversed of that. */
  readonly reversed?: HostMovement;
  readonly standIn?: StandIn;
  /** The advice of a stand-in as it is to be sent, only while it is `advice-pending`; or the card of a trial sale that may have to be reversed. */
  readonly sealed?: Sealed;
  /** Approvals that came after their reversal. */
  readonly lateApprovals: number;
  readonly createdAtMs: number;
  /** Of the journal: a change needs the one that was read. */
  readonly version: number;
}

/** A message without what no journal may hold. */
export function stored(message: ExchangeMessage): StoredMessage {
  const copy: { -readonly [Name in keyof ExchangeMessage]?: ExchangeMessage[Name] } = { ...message };
  for (const name of NEVER_STORED) delete copy[name];
  return copy as StoredMessage;
}

/** Whether an answer approves. */
export function approves({ responseCode }: Pick<StoredMessage, 'responseCode'>): boolean {
  return isApproval(responseCode);
}

/**
 * Whether an answer decides a request. One without a response code does not; nor does an approval of something else than was requested, such as a
 * part where the request allowed none: the link reverses what the host then holds.
 */
export function decides(
  { responseCode, amount }: Pick<StoredMessage, 'responseCode' | 'amount'>,
  request: Pick<StoredMessage, 'amount' | 'partialAllowed'> | undefined,
): boolean {
  const requested = request?.amount;
  if (responseCode === undefined) return false;
  if (!isApproval(responseCode) || !requested) return true;
  if (isWholeApproval(responseCode) && amount === undefined) return true;
  if (amount?.currency !== requested.currency) return false;
  if (isWholeApproval(responseCode)) return amount.minor === requested.minor;
  return request.partialAllowed === true && amount.minor > 0 && amount.minor <= requested.minor;
}

/** What the host approved of an exchange, or the gateway in its place, in minor units; 0: nothing, or unknown. */
export function approvedMinor({
  answer,
  request,
  standIn,
  state,
}: Pick<ExchangeRecord, 'answer' | 'request' | 'standIn' | 'state'>): number {
  if (!answer || !approves(answer)) {
    // What the host declined stands until the payment is taken back.
    const isOurs = standIn && (!answer || state === 'reversed');
    return isOurs ? (request?.amount?.minor ?? 0) : 0;
  }
  return answer.amount?.minor ?? request?.amount?.minor ?? 0;
}
