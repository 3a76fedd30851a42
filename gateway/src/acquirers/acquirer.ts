import type { Money } from '@tillbridge/protocol/payment/money.js';
import type { TranslatedPin } from '../security/module/security-module.js';

/**
 * A way to the card schemes. Our `acquirerReference` is the idempotency key of every request: an acquirer that has seen the reference
 * answers with its stored answer and moves no money twice.
 */
export interface Acquirer {
  readonly name: string;
  /**
   * Sends a request and waits for its answer.
   * @throws AcquirerUnreachableError when no answer came: the outcome is unknown until {@link status} tells
   */
  send(request: AcquirerRequest): Promise<AcquirerAnswer>;
  /**
   * The status of a request.
   * @throws AcquirerUnreachableError
   */
  status(acquirerReference: string): Promise<AcquirerStatus>;
}

/** What an acquirer can be asked. */
export type AcquirerRequestKind =
  | 'authorization'
  | 'capture'
  | 'refund'
  | 'reversal'
  /** More money on a standing authorization; the issuer is asked again. */
  | 'increment'
  /** Money that came in another way for an earlier transaction: told, not asked (reference §3, RC). */
  | 'receipt'
  /** A sale that the card approved offline: told, not asked; may still be declined late. */
  | 'advice'
  /** Money to the shopper without an earlier sale. */
  | 'credit';

/** All but the reversal, which names no amount. */
export type MoneyRequestKind = Exclude<AcquirerRequestKind, 'reversal'>;

/** Card data for one request. Memory only. */
export interface AcquirerAccount {
  readonly pan: string;
  /** Four digits. */
  readonly expiryYear: string;
  readonly expiryMonth: string;
  readonly track2?: string;
  readonly cvv?: string;
}

/** The card-present part of a request. */
export interface AcquirerPointOfSale {
  readonly terminalId: string;
  /** `pos.entryMode` of spec 2.3. */
  readonly entryMode: string;
  /** Two digits. */
  readonly panSequenceNumber?: string;
  /** BER-TLV of the card. */
  readonly iccData?: Uint8Array;
  readonly pin?: TranslatedPin;
}

/** One message to the acquirer. */
export type AcquirerRequest = AcquirerMoneyRequest | AcquirerReversal;

interface AcquirerMessage {
  /** Ours, 32 lowercase hex; the idempotency key. */
  readonly acquirerReference: string;
  /** The agent's message id where a till caused the request; for the acquirer's record alone. */
  readonly messageId?: string;
  /** Simulator: how long it withholds its answer after it has decided, in milliseconds. */
  readonly silentMs?: number;
}

/**
 * Reverses whatever stands under a reference: an approval as far as it is neither captured nor refunded nor reversed, in part where the issuer
 * approved a part. A reversal of an unknown reference is approved and must make the acquirer refuse that reference if it arrives later.
 * It names no amount, because the caller may not know one: the original's answer may be lost. A link to a host that demands an amount
 * takes it from its own record of the original: the approved amount, and in DE 95 what stays.
 */
export interface AcquirerReversal extends AcquirerMessage {
  readonly kind: 'reversal';
  /** The acquirer reference that is reversed. */
  readonly originalReference: string;
}

/** A message that moves, holds or gives money. */
export interface AcquirerMoneyRequest extends AcquirerMessage {
  readonly kind: MoneyRequestKind;
  readonly amount: Money;
  /** Capture, refund, increment, receipt: the acquirer reference that is followed. */
  readonly originalReference?: string;
  /** Authorization, advice and credit. */
  readonly account?: AcquirerAccount;
  readonly pos?: AcquirerPointOfSale;
  /** Authorization: the billing address that the cardholder gave; memory only. */
  readonly billing?: { readonly street?: string; readonly postcode?: string };
  /** An authorization that takes the money too (DB); without it the money is only reserved (PA). */
  readonly captureNow?: boolean;
  /** An authorization asked for after the goods left the store. */
  readonly deferred?: boolean;
  /** An approval for less than the amount is welcome; without it the issuer approves all or nothing. */
  readonly partialAllowed?: boolean;
  /** The issuer gave this code on the phone: the request is told rather than asked. */
  readonly approvalCode?: string;
}

/** The acquirer's decision. */
export interface AcquirerAnswer {
  readonly approved: boolean;
  /** Result code of the API (spec 2.10), such as 000.100.110 or 800.100.155. */
  readonly resultCode: string;
  /** ISO 8583 field 39 / tag 8A: `00`, `05`, `51`, ... */
  readonly responseCode: string;
  /** Six characters; present on approvals. */
  readonly approvalCode?: string;
  /** Approved for less than was asked for: how much, in minor units. Response code 10. */
  readonly approvedMinor?: number;
  /** BER-TLV for the card: 91, 71, 72. */
  readonly iccDataResponse?: Uint8Array;
  /** The issuer's AVS result (spec 2.10): A, Z, N, U or F. */
  readonly avsResponse?: string;
  /** The issuer's CVV result (spec 2.10). */
  readonly cvvResponse?: string;
}

/** Status of a request at the acquirer. */
export type AcquirerStatus =
  | { readonly state: 'unknown' }
  | { readonly state: 'answered'; readonly answer: AcquirerAnswer };

/** Kinds as an acquirer's own record names them: an increment is an authorization there, a receipt an advice. */
export type RecordedKind = Exclude<AcquirerRequestKind, 'increment' | 'receipt'>;

/** One row of an acquirer's own record, as the simulator shows it. */
export interface AcquirerTransaction {
  readonly acquirer: string;
  readonly acquirerReference: string;
  readonly messageId?: string;
  readonly kind: RecordedKind;
  /** Decimal text with two decimals. */
  readonly amount: string;
  readonly currency: string;
  readonly approved: boolean;
  readonly reversed: boolean;
  readonly terminalId?: string;
  readonly last4Digits?: string;
  /** ISO 8601 UTC. */
  readonly at: string;
}

/** An acquirer that shows its own record: the simulator, in test mode. */
export interface TransactionRecord {
  /** Every transaction in the order it was recorded. */
  transactions(): Promise<readonly AcquirerTransaction[]>;
}

/** One entry of an acquirer's own record with its amounts as they stand now. */
export interface RecordEntry {
  readonly acquirerReference: string;
  /** The entry that is followed. */
  readonly originalReference: string | null;
  readonly messageId: string | null;
  readonly kind: AcquirerRequestKind;
  readonly approved: boolean;
  readonly currency: string;
  readonly amountMinor: number;
  /** Taken so far, refunds not subtracted. */
  readonly capturedMinor: number;
  readonly refundedMinor: number;
  readonly reversedMinor: number;
  readonly atMs: number;
}

/** An acquirer whose record can be compared with ours, part by part. */
export interface AcquirerRecord {
  /**
   * Committed entries behind a position (0: from the first), in the order they were recorded.
   * @throws AcquirerUnreachableError
   */
  entriesAfter(position: number, limit: number): Promise<readonly PlacedEntry[]>;
  /** The committed entry with this reference. @throws AcquirerUnreachableError */
  entry(acquirerReference: string): Promise<RecordEntry | undefined>;
}

/** An entry and its place in the record. */
export interface PlacedEntry {
  readonly position: number;
  readonly entry: RecordEntry;
}

/** No answer came: refused connection, time-out, cut. The request may or may not have been carried out. */
export class AcquirerUnreachableError extends Error {
  override readonly name = 'AcquirerUnreachableError';
}
