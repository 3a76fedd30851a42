import { column, table } from '@tillbridge/platform/sqlite/table.js';
import type { AcquirerInstrument, ChargebackKind } from '../acquirer.js';
import type { AcquirerRequestKind } from '../request-kinds.js';

/** What stands in the ledger. An inquiry requests the balance of a gift card. */
type LedgerKind = AcquirerRequestKind | ChargebackKind | 'inquiry';

/** The acquirer's transactions in the order they were recorded. A change needs a migration (ledger-database.ts). */
export const TRANSACTIONS = table(
  'transactions',
  {
    position: column.integer(),
    acquirerReference: column.text(),
    messageId: column.optional(column.text()),
    kind: column.text<LedgerKind>(),
    amountMinor: column.integer('>= 0'),
    currency: column.text(),
    approved: column.flag(),
    resultCode: column.text(),
    responseCode: column.text(),
    /** The issuer's: data for the card in hex, AVS and CVV results. */
    ...column.optionalTexts('approvalCode', 'iccDataResponse', 'avsResponse', 'cvvResponse'),
    /** The network's id, where an agreement on a card on file began. */
    networkTransactionId: column.optional(column.text()),
    /** JSON of the place where the shopper decides; null for what the issuer decided at once. */
    redirect: column.optional(column.text()),
    /** Why the bank will return the money of a direct debit; of a chargeback its reason; null for what stays. */
    returnReason: column.optional(column.text()),
    /** When the bank will return it, while it has not; of a chargeback, and of the reversal of one, when it was recorded. */
    returnAtMs: column.optional(column.integer()),
    /** The transaction that is followed. */
    originalReference: column.optional(column.text()),
    /** 1: the amount was taken with the authorization. */
    captureNow: column.flag(),
    /** Taken so far, refunds not subtracted. */
    capturedMinor: column.integer('BETWEEN 0 AND amountMinor'),
    refundedMinor: column.integer('BETWEEN 0 AND capturedMinor'),
    /** Taken back by chargebacks that stand; never more than was taken and not refunded. */
    chargedBackMinor: column.integer('BETWEEN 0 AND capturedMinor'),
    /** Reversed so far; equal to the amount when nothing is left. */
    reversedMinor: column.integer('BETWEEN 0 AND amountMinor'),
    terminalId: column.optional(column.text()),
    /** Kind of the means of payment, of a request that brings one. */
    instrument: column.optional(column.text<AcquirerInstrument['kind']>()),
    last4Digits: column.optional(column.text()),
    panHash: column.optional(column.text()),
    /** Keyed hash of the number of a gift card. */
    giftCard: column.optional(column.text()),
    /** Its remaining balance, as answered. */
    balanceMinor: column.optional(column.integer('>= 0')),
    /** Keyed hash of the request's content: distinguishes a repeat from a reference used twice. */
    parametersHash: column.text(),
    atMs: column.integer(),
  },
  {
    key: ['position'],
    unique: { reference: ['acquirerReference'] },
    indexes: { returns: ['returnAtMs'], giftCards: ['giftCard'] },
  },
);

/** References that were reversed before their request came: the acquirer refuses them for ever. */
export const TOMBSTONES = table(
  'tombstones',
  { acquirerReference: column.text(), reversalReference: column.text(), atMs: column.integer() },
  { key: ['acquirerReference'] },
);
