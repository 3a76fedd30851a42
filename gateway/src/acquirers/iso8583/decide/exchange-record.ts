import type {
  ExchangeMessage,
  ExchangeTexts,
} from '@tillbridge/protocol/iso8583/exchange/exchange-message.js';
import type { Money } from '@tillbridge/protocol/payment/money.js';
import type { MoneyRequestKind } from '../../acquirer.js';
import { isApproval } from '../../response-codes.js';

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
 * `sent`: journaled, and its bytes may have left. `answered`: the host has decided. `reversing`: its outcome is unknown or no longer wanted, and a
 * reversal is sent until the host acknowledges it. `reversed`: it has, or this is the tombstone of an exchange that never began.
 */
export type ExchangeState = 'sent' | 'answered' | 'reversing' | 'reversed';

/** The reversal of an exchange. */
export interface ReversalProgress {
  /** Number and time of the reversal itself: each repeat has the same. */
  readonly stan: string;
  readonly at: string;
  /** Times that it was sent. */
  readonly attempts: number;
  /** When it is sent next. */
  readonly nextAtMs: number;
  /** Our acquirer reference of it, where the gateway asked for it. */
  readonly reference?: string;
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

/** What an exchange is for the gateway. */
export interface ExchangePurpose {
  readonly operation: MoneyRequestKind;
  /** An authorization that takes the money too. */
  readonly captureNow?: boolean;
  /** The acquirer reference that it follows. */
  readonly originalReference?: string;
  /** The agent's message that caused it. */
  readonly messageId?: string;
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
  /** What the host took or gave for it; absent: nothing, or it tells no settlement day. */
  readonly booked?: HostMovement;
  /** What it reversed of that. */
  readonly reversed?: HostMovement;
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

/** What the host approved of an exchange, in minor units; 0: nothing, or nobody knows. */
export function approvedMinor({ answer, request }: Pick<ExchangeRecord, 'answer' | 'request'>): number {
  if (!answer || !approves(answer)) return 0;
  return answer.amount?.minor ?? request?.amount?.minor ?? 0;
}
