import { column, type RowOf, table } from '@tillbridge/platform/sqlite/table.js';

/** What a transaction does with money. An increment raises what an authorization holds, and a capture takes of it. */
export type TransactionKind = 'authorization' | 'increment' | 'sale' | 'capture' | 'refund' | 'credit';

/** Accounts of cards, one for each currency; amounts in minor units. */
export const ACCOUNTS = table(
  'accounts',
  {
    /** Keyed hash of the card number. */
    card: column.text(),
    currency: column.text(),
    /** What the cardholder has; an advice may bring it below zero. */
    balanceMinor: column.integer(),
    /** What authorizations hold of it. */
    heldMinor: column.integer('>= 0'),
  },
  { key: ['card', 'currency'] },
);

/** Cards, as their issuer knows them. */
export const CARDS = table(
  'cards',
  {
    card: column.text(),
    last4Digits: column.text(),
    /** Tries of the online PIN that are left. */
    pinTriesLeft: column.integer('>= 0'),
    /** Highest application transaction counter that came with a true cryptogram. */
    lastAtc: column.integer('>= 0'),
  },
  { key: ['card'] },
);

/** Transactions in the order they were recorded. A message has one, whatever it was answered. */
export const TRANSACTIONS = table(
  'transactions',
  {
    position: column.integer(),
    /** Terminal, trace number and time of the message. */
    message: column.text(),
    kind: column.text<TransactionKind>(),
    isAdvice: column.flag(),
    terminalId: column.text(),
    merchantId: column.text(),
    ...column.optionalTexts('rrn', 'card', 'last4Digits'),
    currency: column.text(),
    requestedMinor: column.integer('>= 0'),
    /** Approved, of an authorization with its increments; 0 of what was declined. */
    amountMinor: column.integer('>= 0'),
    /** Of an authorization: what is still held. */
    heldMinor: column.integer('BETWEEN 0 AND amountMinor'),
    /** Of a sale or capture: given back since. */
    refundedMinor: column.integer('BETWEEN 0 AND amountMinor'),
    reversedMinor: column.integer('BETWEEN 0 AND amountMinor'),
    chargedBackMinor: column.integer('BETWEEN 0 AND amountMinor'),
    approved: column.flag(),
    responseCode: column.text(),
    /** JSON of the answer's other values. */
    answer: column.json(),
    /** Message of the transaction that is followed. */
    original: column.optional(column.text()),
    /** Settlement day, `yyyyMMdd`. */
    day: column.text(),
    atMs: column.integer(),
  },
  { key: ['position'], unique: { message: ['message'] }, indexes: { days: ['day'] } },
);

/** Reversals in the order they came. One of a message that never came keeps that message out. */
export const REVERSALS = table(
  'reversals',
  {
    position: column.integer(),
    message: column.text(),
    /** Message that is reversed. */
    original: column.text(),
    /** What was given back, in minor units; 0 where there was nothing to reverse. */
    reversedMinor: column.integer('>= 0'),
    currency: column.optional(column.text()),
    day: column.text(),
    atMs: column.integer(),
  },
  { key: ['position'], indexes: { messages: ['message'], originals: ['original'], days: ['day'] } },
);

/** Money that cardholders took back. */
export const CHARGEBACKS = table(
  'chargebacks',
  {
    position: column.integer(),
    original: column.text(),
    amountMinor: column.integer('> 0'),
    reason: column.text(),
    day: column.text(),
    atMs: column.integer(),
  },
  { key: ['position'], indexes: { days: ['day'] } },
);

/** Settlement days; the one that is not closed is the current one. */
export const DAYS = table(
  'days',
  { day: column.text(), closedAtMs: column.optional(column.integer()) },
  { key: ['day'] },
);

/** Rows of the host's database. */
export type AccountRow = RowOf<typeof ACCOUNTS>;
export type CardRow = RowOf<typeof CARDS>;
export type TransactionRow = RowOf<typeof TRANSACTIONS>;
export type ReversalRow = RowOf<typeof REVERSALS>;
export type ChargebackRow = RowOf<typeof CHARGEBACKS>;
