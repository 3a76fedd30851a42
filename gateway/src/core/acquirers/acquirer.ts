import type { Money } from '@tillbridge/wire/payment/money.js';
import type { TranslatedPin } from '../../security/module/security-module.js';
import type { AcquirerAuthentication } from './authentication.js';
import type { AcquirerRequestKind } from './request-kinds.js';
import type { StandingInstruction } from './standing-instruction.js';

/**
 * A way to the card schemes. Our `acquirerReference` is the idempotency key of every request: an acquirer that has seen the reference
 * answers with its stored answer and moves no money twice.
 */
export interface Acquirer {
  readonly name: string;
  /**
   * Sends a request and waits for its answer.
   * @throws AcquirerUnreachableError when no answer came: the outcome is unknown until {@link status} returns it
   */
  send(request: AcquirerRequest): Promise<AcquirerAnswer>;
  /**
   * The status of a request.
   * @throws AcquirerUnreachableError
   */
  status(acquirerReference: string): Promise<AcquirerStatus>;
}

/** All but the reversal, which names no amount. */
export type MoneyRequestKind = Exclude<AcquirerRequestKind, 'reversal'>;

/** A means of payment, for one request. Memory only. */
export type AcquirerInstrument =
  | AcquirerCard
  | AcquirerToken
  | AcquirerBankAccount
  | AcquirerVirtualAccount
  | AcquirerGiftCard;

/** A card. */
export interface AcquirerCard {
  readonly kind: 'card';
  readonly pan: string;
  /** Four digits. */
  readonly expiryYear: string;
  readonly expiryMonth: string;
  readonly track2?: string;
  readonly cvv?: string;
  /** `DPAN`: the number is a network token. */
  readonly numberType?: 'PAN' | 'DPAN';
  /** What a wallet proved the cardholder with: cryptogram (base64) and e-commerce indicator. Without it, 3D Secure has to. */
  readonly proof?: { readonly cryptogram: string; readonly eci?: string };
}

/** A token that stands for a card (docs/payment-methods.md, tokenAccount). */
export interface AcquirerToken {
  readonly kind: 'token';
  /** `NETWORK`: of a card network. `EXTERNAL`: of another provider, which alone knows the card. */
  readonly type: 'EXTERNAL' | 'NETWORK';
  /** `paymentBrand` of the request. */
  readonly brand: string;
  readonly number: string;
  /** Four digits. */
  readonly expiryYear?: string;
  readonly expiryMonth?: string;
  /** What the network made for this payment, base64. */
  readonly cryptogram?: string;
  /** Dynamic token verification code. */
  readonly dtvc?: string;
}

/** A gift card, which holds a balance. */
export interface AcquirerGiftCard {
  readonly kind: 'gift-card';
  /** `paymentBrand` of the request. */
  readonly brand: string;
  readonly number: string;
  readonly pin?: string;
}

/** A bank account that is debited, or that money is transferred from. */
export interface AcquirerBankAccount {
  readonly kind: 'bank-account';
  /** `direct-debit`: collected under a mandate. `transfer`: its holder approves it at the bank. */
  readonly by: 'direct-debit' | 'transfer';
  /** `paymentBrand` of the request. */
  readonly brand: string;
  readonly holder?: string;
  readonly iban?: string;
  readonly number?: string;
  readonly bankCode?: string;
  readonly bic?: string;
  /** Two uppercase letters. */
  readonly country?: string;
  /** Direct debit: the mandate, and the day of the collection (`yyyy-MM-dd`). */
  readonly mandate?: { readonly id: string; readonly signedOn: string };
  readonly dueDate?: string;
}

/** An account with a provider, whose holder approves the payment there. */
export interface AcquirerVirtualAccount {
  readonly kind: 'virtual-account';
  /** `paymentBrand` of the request. */
  readonly brand: string;
  readonly accountId?: string;
}

/** The card-present part of a request. */
export interface AcquirerPointOfSale {
  readonly terminalId: string;
  /** `pos.entryMode` of a request. */
  readonly entryMode: string;
  /** Two digits. */
  readonly panSequenceNumber?: string;
  /** BER-TLV of the card. */
  readonly iccData?: Uint8Array;
  /** Whether the cryptogram is the card's; `unknown` without the issuer's keys, absent without chip data. For the gateway's own decisions. */
  readonly cryptogram?: 'valid' | 'invalid' | 'unknown';
  readonly pin?: TranslatedPin;
}

/** The merchant as its acquirer knows it, and as it stands on statements. */
export interface AcquirerMerchant {
  /** Number at the acquirer (card acceptor), 1 to 15 letters and digits. */
  readonly merchantId: string;
  /** Of payments without a terminal: the one that the acquirer gave the merchant for them, up to 8. */
  readonly terminalId: string;
  /** Merchant category code, four digits. */
  readonly category: string;
  readonly name: string;
  readonly city: string;
  /** Two uppercase letters. */
  readonly country: string;
  /** Of its store, for acquirers whose times are local (IANA); UTC when absent. */
  readonly timeZone?: string;
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
  /** Authorization and advice: parts of the amount, which staff is given and which the till hands out in cash. */
  readonly tip?: Money;
  readonly cashBack?: Money;
  /** Capture, refund, increment, receipt: the acquirer reference that is followed. */
  readonly originalReference?: string;
  /** Authorization, advice and credit. */
  readonly instrument?: AcquirerInstrument;
  readonly pos?: AcquirerPointOfSale;
  /** Authorization: the billing address that the cardholder gave; memory only. */
  readonly billing?: { readonly street?: string; readonly postcode?: string };
  /** Authorization, advice and credit; absent where the acquirer needs none. */
  readonly merchant?: AcquirerMerchant;
  /** Authorization: a card on file (docs/card-on-file.md). */
  readonly standing?: StandingInstruction;
  /** An authorization that takes the money too (DB); without it the money is only reserved (PA). */
  readonly captureNow?: boolean;
  /** An authorization requested after the goods left the store. */
  readonly deferred?: boolean;
  /** An approval for less than the amount is welcome; without it the issuer approves all or nothing. */
  readonly partialAllowed?: boolean;
  /** The issuer gave this code on the phone: the request is an advice. */
  readonly approvalCode?: string;
  /** Authorization: how the cardholder was authenticated. */
  readonly authentication?: AcquirerAuthentication;
  /** The merchant's promotion code, which the acquirer may refuse. */
  readonly promotionCode?: string;
  /** What else the merchant sent and the gateway forwards to the acquirer, by the names of the parameters. */
  readonly details?: Readonly<Record<string, string>>;
  /** Where the shopper comes back to after approving or refusing the payment elsewhere. */
  readonly returnUrl?: string;
}

/** The card of a request; undefined for every other means of payment. */
export function cardOf({ instrument }: Pick<AcquirerMoneyRequest, 'instrument'>): AcquirerCard | undefined {
  return instrument?.kind === 'card' ? instrument : undefined;
}

/** Numbers of tokens and gift cards that are at least so long show their last four characters. */
const SHOWN_LENGTH = 12;

/** The last four digits or letters of what stands on the means of payment; undefined where nothing does. */
export function last4DigitsOf(instrument: AcquirerInstrument | undefined): string | undefined {
  switch (instrument?.kind) {
    case 'card':
      return instrument.pan.slice(-4);
    case 'bank-account':
      return (instrument.iban ?? instrument.number)?.slice(-4);
    case 'token':
    case 'gift-card':
      // A short number is not shown in parts.
      return instrument.number.length >= SHOWN_LENGTH ? instrument.number.slice(-4) : undefined;
    default:
      return undefined;
  }
}

/** The acquirer's answer: its decision, or that the decision comes later. */
export type AcquirerAnswer = AcquirerDecision | AcquirerPending;

/** The shopper, or another party, has yet to decide: {@link Acquirer.status} returns the outcome. */
export interface AcquirerPending extends WithoutDecision {
  readonly approved: false;
  /** Where the shopper decides, or what the payer transfers the money to; then its receipt is waited for. */
  readonly pending: {
    readonly redirect?: AcquirerRedirect;
    readonly payee?: AcquirerPayee;
    readonly awaitsReceipt?: true;
  };
  readonly resultCode: string;
  readonly responseCode: string;
}

type WithoutDecision = {
  readonly [Field in keyof Omit<
    AcquirerDecision,
    'approved' | 'pending' | 'resultCode' | 'responseCode'
  >]?: undefined;
};

/** A place that the shopper's browser is sent to, and what it brings along. */
export interface AcquirerRedirect {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly parameters: readonly RedirectParameter[];
  /** Calls that the page of the shop may make before it sends the browser there; where it makes none, our own page does. */
  readonly preconditions?: readonly RedirectPrecondition[];
}

/** What a browser brings along. */
interface RedirectParameter {
  readonly name: string;
  readonly value: string;
}

/** A call in a frame that the shopper does not see (docs/three-d-secure.md). */
export interface RedirectPrecondition {
  readonly origin: 'iframe#hidden';
  readonly waitUntil: 'iframe#onload';
  readonly description: string;
  readonly url: string;
  readonly method: 'POST';
  readonly parameters: readonly RedirectParameter[];
}

/** What an acquirer records without a request: money that is taken back of a payment, and given to the merchant again. */
export type ChargebackKind = 'chargeback' | 'chargeback-reversal';

/** Whether an entry of an acquirer's record is a chargeback or the reversal of one. */
export function isChargebackKind(kind: string): kind is ChargebackKind {
  return kind === 'chargeback' || kind === 'chargeback-reversal';
}

/** Money of a payment that was taken back, by its cardholder, its payer or a bank; or given to the merchant again. */
export interface AcquirerChargeback {
  readonly kind: ChargebackKind;
  /** The acquirer's reference of it. */
  readonly reference: string;
  /** The request of ours whose money it is. */
  readonly originalReference: string;
  /** Of a reversal: the reference of the chargeback that it reverses. */
  readonly chargeback?: string;
  /** Reason in the words of the scheme, such as `AC04` or `10.4` (protocol/wire/src/payment/chargeback-reasons.ts). */
  readonly reason: string;
  readonly atMs: number;
  /** In minor units; 0: nothing was taken. */
  readonly amountMinor: number;
  /** Who reported it, where it was not the acquirer of the payment. */
  readonly source?: string;
}

/** An acquirer that reports chargebacks. */
export interface ChargebackFeed {
  /** Chargebacks after a place (from the first without one), the earliest first, each with its place. @throws AcquirerUnreachableError */
  chargebacksAfter(
    cursor: string | undefined,
    limit: number,
  ): Promise<readonly (AcquirerChargeback & { readonly cursor: string })[]>;
}

/** An acquirer whose chargebacks can be made happen: the simulator, in test mode. */
export interface ChargebackSimulator {
  /** The transfer of a payment that waits for it comes in; whether the payment waited for one. @throws AcquirerUnreachableError */
  receive(acquirerReference: string): Promise<boolean>;
  /**
   * Takes money of a transaction back, or gives back what a chargeback took.
   * @returns whether the acquirer carried it out: never for more than is left
   * @throws AcquirerUnreachableError
   */
  chargeBack(wanted: WantedChargeback): Promise<boolean>;
}

/** A chargeback that is to happen. */
export interface WantedChargeback {
  readonly kind: ChargebackKind;
  /** Reference that it is to have: the same again is the same chargeback. */
  readonly reference: string;
  /** The transaction; of a reversal the chargeback. */
  readonly originalReference: string;
  readonly amount: Money;
  readonly reason: string;
}

/** An acquirer that answers balance inquiries on gift cards. */
export interface BalanceInquiries {
  /**
   * Requests the balance of a gift card from its issuer. Wrong PINs count as those of payments do.
   * @param acquirerReference of this inquiry, 32 lowercase hex
   * @throws AcquirerUnreachableError
   */
  balance(acquirerReference: string, card: Pick<AcquirerGiftCard, 'number' | 'pin'>): Promise<BalanceAnswer>;
}

/** The issuer's answer to an inquiry. */
export interface BalanceAnswer extends Pick<AcquirerDecision, 'resultCode' | 'responseCode'> {
  /** Absent where it refuses. */
  readonly balance?: Money;
}

/** The account of the merchant that the money goes to, where the payer sees or needs it. */
export interface AcquirerPayee {
  readonly holder: string;
  /** An IBAN for SEPA. */
  readonly number: string;
  readonly bic: string;
  /** Two uppercase letters. */
  readonly country: string;
  /** What the payer of a transfer states as its purpose: by it the receipt is found. */
  readonly reference?: string;
}

/** The acquirer's decision. */
export interface AcquirerDecision {
  readonly approved: boolean;
  readonly pending?: undefined;
  /** Result code of the API, such as 000.100.110 or 800.100.155. */
  readonly resultCode: string;
  /** ISO 8583 field 39 / tag 8A: `00`, `05`, `51`, ... */
  readonly responseCode: string;
  /** Six characters; present on approvals. */
  readonly approvalCode?: string;
  /** Amount of a partial approval, in minor units. Response code 10. */
  readonly approvedMinor?: number;
  /** BER-TLV for the card: 91, 71, 72. */
  readonly iccDataResponse?: Uint8Array;
  /** The issuer's AVS result: A, Z, N, U or F. */
  readonly avsResponse?: string;
  /** The issuer's CVV result. */
  readonly cvvResponse?: string;
  /** The acquirer could not be reached: the gateway has approved in its place, and sends the advice later. */
  readonly isStandIn?: true;
  readonly payee?: AcquirerPayee;
  /** What is left on a gift card, in minor units of the payment's currency. */
  readonly balanceMinor?: number;
  /** Further facts of its answer, by names of `resultDetails`: balances, cash back, texts of the host. */
  readonly details?: Readonly<Record<string, string>>;
  /** The network's id of the first payment of an agreement: the ones that repeat it refer to it. */
  readonly networkTransactionId?: string;
}

/** Status of a request at the acquirer. */
export type AcquirerStatus =
  | { readonly state: 'unknown' }
  | { readonly state: 'answered'; readonly answer: AcquirerAnswer };

/** One row of an acquirer's own record, as the simulator shows it. */
export interface AcquirerTransaction {
  readonly acquirer: string;
  readonly acquirerReference: string;
  readonly messageId?: string;
  /** An increment is an authorization there, a receipt an advice. */
  readonly kind: AcquirerRequestKind | ChargebackKind;
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
  readonly kind: AcquirerRequestKind | ChargebackKind;
  readonly approved: boolean;
  /** The decision is still to come. */
  readonly isPending: boolean;
  /** An authorization that takes the money too. */
  readonly captureNow: boolean;
  readonly currency: string;
  readonly amountMinor: number;
  /** Taken so far, refunds not subtracted. */
  readonly capturedMinor: number;
  readonly refundedMinor: number;
  /** Taken back by chargebacks that stand. */
  readonly chargedBackMinor: number;
  readonly reversedMinor: number;
  /** Of a chargeback, and of the reversal of one: why, in the words of the scheme. */
  readonly reason: string | null;
  readonly atMs: number;
}

/** An acquirer whose record can be compared with ours, part by part. */
export interface AcquirerRecord {
  /**
   * Committed entries after a position (0: from the first), in the order they were recorded.
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
