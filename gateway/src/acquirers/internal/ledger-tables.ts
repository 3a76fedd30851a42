import { flag, integer, optional, table, text } from '@tillbridge/protocol/platform/sqlite/table.js';
import type { AcquirerInstrument, AcquirerRequestKind, ChargebackKind } from '../acquirer.js';

/** The acquirer's transactions in the order they were recorded. A change needs a migration (ledger-database.ts). */
export const TRANSACTIONS = table('transactions', {
  key: ['position'],
  unique: { reference: ['acquirerReference'] },
  indexes: { returns: ['returnAtMs'], giftCards: ['giftCard'] },
  columns: {
    position: integer(),
    acquirerReference: text(),
    messageId: optional(text()),
    kind: text<AcquirerRequestKind | ChargebackKind>(),
    amountMinor: integer('>= 0'),
    currency: text(),
    approved: flag(),
    resultCode: text(),
    responseCode: text(),
    approvalCode: optional(text()),
    /** Hex. */
    iccDataResponse: optional(text()),
    /** The issuer's AVS and CVV results. */
    avsResponse: optional(text()),
    cvvResponse: optional(text()),
    /** The network's id, where an agreement on a card on file began. */
    networkTransactionId: optional(text()),
    /** JSON of the place where the shopper decides; null for what the issuer decided at once. */
    redirect: optional(text()),
    /** Why the bank will return the money of a direct debit; of a chargeback its reason; null for what stays. */
    returnReason: optional(text()),
    /** When the bank will return it, while it has not; of a chargeback, and of the reversal of one, when it was recorded. */
    returnAtMs: optional(integer()),
    /** The transaction that is followed. */
    originalReference: optional(text()),
    /** 1: the amount was taken with the authorization. */
    captureNow: flag(),
    /** Taken so far, refunds not subtracted. */
    capturedMinor: integer('BETWEEN 0 AND amountMinor'),
    refundedMinor: integer('BETWEEN 0 AND capturedMinor'),
    /** Taken back by chargebacks that stand; never more than was taken and not refunded. */
    chargedBackMinor: integer('BETWEEN 0 AND capturedMinor'),
    /** Reversed so far; equal to the amount when nothing is left. */
    reversedMinor: integer('BETWEEN 0 AND amountMinor'),
    terminalId: optional(text()),
    /** Kind of the means of payment, of a request that brings one. */
    instrument: optional(text<AcquirerInstrument['kind']>()),
    last4Digits: optional(text()),
    panHash: optional(text()),
    /** Keyed hash of the number of a gift card. */
    giftCard: optional(text()),
    /** What was left on it, as the answer told. */
    balanceMinor: optional(integer('>= 0')),
    /** Keyed hash of the request's content: tells a repeat from a reference used twice. */
    parametersHash: text(),
    atMs: integer(),
  },
});

/** References that were reversed before their request came: the acquirer refuses them for ever. */
export const TOMBSTONES = table('tombstones', {
  key: ['acquirerReference'],
  columns: { acquirerReference: text(), reversalReference: text(), atMs: integer() },
});
