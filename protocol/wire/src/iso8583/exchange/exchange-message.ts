import type { Money } from '../../payment/money.js';

/** In place of the currency of an amount: an answer that states none has that of its request. */
export const NO_CURRENCY = '';

/** Longest text of details. */
export const MAX_DETAILS_LENGTH = 3_996;

/** What a message is about. */
export type ExchangeKind = 'authorization' | 'financial' | 'reversal' | 'reconciliation' | 'network';

/** Type of a message, whatever digits its dialect gives it. */
export interface ExchangeType {
  readonly kind: ExchangeKind;
  /** An advice: it reports what has happened, and is not refused. */
  readonly isAdvice: boolean;
  readonly isResponse: boolean;
  /** The same message was sent before. */
  readonly isRepeat: boolean;
}

/**
 * What the money of a message does; `cash-back`: of a purchase the cardholder gets a part in cash, `funding`: it is taken to be paid to another
 * person, or to an account of the cardholder.
 */
export type ExchangeTransaction = 'purchase' | 'cash-back' | 'funding' | 'refund' | 'credit';

/** Whether a transaction takes money of the cardholder. */
export function isDebit(transaction: ExchangeTransaction | undefined): boolean {
  return transaction === 'purchase' || transaction === 'cash-back' || transaction === 'funding';
}

/** How the card was read. */
export type ExchangeEntryMode =
  | 'keyed'
  | 'magstripe'
  | 'fallback'
  | 'chip'
  | 'contactless-chip'
  | 'contactless-magstripe'
  | 'e-commerce'
  | 'stored';

/** What a network message requests. */
export type NetworkFunction = 'sign-on' | 'sign-off' | 'echo' | 'key-exchange' | 'cut-over';

/** The message that a later one follows. */
export interface ExchangeOriginal {
  readonly type: Pick<ExchangeType, 'kind' | 'isAdvice'>;
  readonly stan: string;
  readonly at: string;
  /** Its amount, where the sender states whether this one is about the same amount; never read back. */
  readonly amount?: Money;
}

/** An amount in addition to that of the message: a balance that an answer reports, or a part of it with its own meaning. */
export interface AdditionalAmount {
  /** Two digits: whose account. */
  readonly account: string;
  /** Two digits: what it is (`01` ledger balance, `02` available balance, `40` cash back, `44` tip). */
  readonly type: string;
  /** Below zero: a debit. */
  readonly amount: Money;
}

/** Number and sum of what a side has had since the last cut-over; sums in minor units of one currency. */
export interface ExchangeTotals {
  readonly debits: { readonly number: number; readonly minor: number };
  readonly credits: { readonly number: number; readonly minor: number };
  readonly debitReversals: { readonly number: number; readonly minor: number };
  readonly creditReversals: { readonly number: number; readonly minor: number };
}

/** Values that stand in a message as they are. */
export interface ExchangeTexts {
  readonly pan?: string;
  /** `yyMM`. */
  readonly expiry?: string;
  readonly track2?: string;
  /** Three digits. */
  readonly cardSequence?: string;
  /** Retrieval reference number: twelve letters and digits. */
  readonly rrn?: string;
  readonly approvalCode?: string;
  /** Two letters or digits of ISO 8583:1987, in every dialect. */
  readonly responseCode?: string;
  /** Why an advice or a reversal is sent: four digits of ISO 8583:2003; ISO 8583:1987 has no place for it. */
  readonly reasonCode?: string;
  readonly terminalId?: string;
  readonly merchantId?: string;
  /** Number of the acquiring institution. */
  readonly acquirerId?: string;
  readonly merchantCategory?: string;
  /** Uppercase hex. */
  readonly pinBlock?: string;
  /** BER-TLV, uppercase hex. */
  readonly iccData?: string;
  readonly cvv?: string;
  readonly billingStreet?: string;
  readonly billingPostcode?: string;
  readonly avsResult?: string;
  readonly cvvResult?: string;
  /** Electronic commerce indicator. */
  readonly eci?: string;
  /** Base64 of 20 bytes. */
  readonly authenticationValue?: string;
  readonly dsTransactionId?: string;
  readonly threeDSVersion?: string;
  /** Network's id of the first payment of an agreement, and of this one. */
  readonly agreementId?: string;
  readonly networkTransactionId?: string;
  /** The exemption for which no challenge is requested: two digits. */
  readonly exemption?: string;
  /** A card on file: mode, type, who initiates it and industry practice, parted by commas. */
  readonly standing?: string;
  /** `1`: requested after the goods left the store. */
  readonly deferred?: string;
  readonly transactionCategory?: string;
  readonly lifecycleId?: string;
  readonly purposeCode?: string;
  /** What else the merchant sent, as `application/x-www-form-urlencoded`: at most {@link MAX_DETAILS_LENGTH} characters. */
  readonly details?: string;
  /** How many parameters of the details were left out, since more does not fit. */
  readonly detailsLeftOut?: string;
  /** Settlement day, `yyyyMMdd`. */
  readonly settlementDate?: string;
  /** Of the answer to a reversal: the settlement day of what was reversed, `yyyyMMdd`. */
  readonly captureDate?: string;
  /** A key block (TR-31). */
  readonly keyBlock?: string;
  /** Use and check value of a key in a key exchange, and the key under the zone transport key where it brings one so; uppercase hex of `zone-key.ts`. */
  readonly zoneKey?: string;
  /** Key serial number of the key of the authentication code (DUKPT), uppercase hex: 20 digits of TDES, 24 of AES; an answer has that of its request. */
  readonly macKsn?: string;
}

/** A message between an acquirer and its merchants' gateway. */
export interface ExchangeMessage extends ExchangeType, ExchangeTexts {
  /** System trace audit number, six digits. */
  readonly stan: string;
  /** When it was sent first, `yyyyMMddHHmmss` in UTC. With number and terminal it names the message. */
  readonly at: string;
  readonly transaction?: ExchangeTransaction;
  readonly entryMode?: ExchangeEntryMode;
  readonly amount?: Money;
  /** Of a reversal: what stays of the original amount. Without it nothing stays. */
  readonly remaining?: Money;
  /** An approval of a part is welcome. */
  readonly partialAllowed?: boolean;
  readonly additionalAmounts?: readonly AdditionalAmount[];
  /** Of an answer: texts of fields that the dialect gives names, card numbers masked. */
  readonly resultTexts?: Readonly<Record<string, string>>;
  /** Of an answer, and of what follows it: values of the fields that the dialect repeats, by field. */
  readonly hostData?: Readonly<Record<string, string>>;
  /** Time zone of the merchant; of use where the dialect's times are local. */
  readonly timeZone?: string;
  readonly acceptor?: { readonly name: string; readonly city: string; readonly country: string };
  readonly original?: ExchangeOriginal;
  readonly network?: NetworkFunction;
  readonly totals?: ExchangeTotals;
  /** What of the totals is settled, in minor units of their currency: debits that stand less credits that stand. Below zero: more credits. */
  readonly net?: Money;
}

/** What debits that stand are more than credits that stand, in minor units: below zero where they are less. */
export function netOf({ debits, credits, debitReversals, creditReversals }: ExchangeTotals): number {
  return debits.minor - debitReversals.minor - credits.minor + creditReversals.minor;
}

/** The message that answers another: its number, time and card acceptor, with more values. */
export function answerTo(
  { kind, isAdvice, stan, at, ...request }: ExchangeMessage,
  values: Partial<ExchangeMessage>,
): ExchangeMessage {
  const { terminalId, merchantId, acquirerId, rrn, transaction, amount, network } = request;
  const echoed = { terminalId, merchantId, acquirerId, rrn, transaction, amount, network };
  return {
    ...(Object.fromEntries(
      Object.entries(echoed).filter(([, value]) => value !== undefined),
    ) as Partial<ExchangeMessage>),
    ...values,
    kind,
    isAdvice,
    isResponse: true,
    isRepeat: false,
    stan,
    at,
  };
}
