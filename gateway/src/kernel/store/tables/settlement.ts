import { column, shape, tables } from '@tillbridge/platform/sqlite/table.js';
import { claimed, stamp, version } from './columns.js';

/** What a settlement record is about (docs/reconciliation.md, `recordType`). */
export const RECORD_TYPES = ['SETTLED', 'CHARGEBACK', 'CHARGEBACK REVERSAL', 'FEE'] as const;

/** Which kind of transaction it is (docs/reconciliation.md, `transactionType`). */
export const TRANSACTION_TYPES = [
  'DEBIT',
  'CREDIT',
  'REFUND',
  'BATCH',
  'MONTHLY',
  'SUBMERCHANT',
  'PAYMENT_FACILITATOR',
  'AUTH_FEE',
  'CAPTURE_FEE',
  'CANCEL_FEE',
  'REFUND_FEE',
] as const;

/** Settlements, what they consist of, and the files that merchants reconcile with. */
export const SETTLEMENT_TABLES = tables({
  /** How a merchant is settled; absent: as everybody. */
  settlementAccounts: shape(
    {
      /** The merchant. */
      entityId: column.idOf('entities'),
      /** The division or the PSP that it stands under; null: the PSP of this gateway. */
      aboveId: column.optional(column.idOf('entities')),
      /** Its number at the clearing institute, 5 to 64 characters. */
      clearingMerchantId: column.optional(column.text()),
      /** Currency it is paid in; null: each payment in its own. */
      currency: column.optional(column.text()),
      /** Object (`FeeSchedule`); null: the standard one. */
      fees: column.optional(column.json()),
      /** Keyed hash of the password at the FTP location, hex; null: no account there. */
      ftpPassword: column.optional(column.text()),
      version,
    },
    { key: ['entityId'], indexes: { clearing: ['clearingMerchantId'] } },
  ),

  /** What one currency is changed into another for, from a time on. Rows never change: settlements keep what they were changed by. */
  exchangeRates: shape(
    {
      /** Of the payment. */
      currency: column.text(),
      /** That a merchant is paid in. */
      settlementCurrency: column.text(),
      fromMs: column.integer(),
      /** Not any more from then on; null: until the next one begins. */
      untilMs: column.optional(column.integer()),
      /** Millionths of the settlement currency for one unit. */
      rate: column.integer('> 0'),
      /** The file that it came from, or who set it. */
      source: column.text(),
      ...stamp,
    },
    { key: ['currency', 'settlementCurrency', 'fromMs'] },
  ),

  /** What a merchant account is paid at once, in one currency: a batch. */
  settlements: shape(
    {
      /** 32 lowercase hex that sort by time. */
      id: column.text(),
      /** The merchant account: a channel, or a merchant that pays without one. */
      entityId: column.idOf('entities'),
      merchantId: column.idOf('entities'),
      /** `INTERNAL`: of the simulator's ledger. `FILE`: an acquirer's file. */
      source: column.oneOf('INTERNAL', 'FILE'),
      /** `settlement.format`. */
      format: column.text(),
      /** `settlement.currency`. */
      currency: column.text(),
      /** `settlement.date`. */
      settledAtMs: column.integer(),
      /** Nothing is added to a closed one. */
      state: column.oneOf('open', 'closed'),
      recordCount: column.integer('>= 0'),
      /** Sum of the records with the cashflow POS, in minor units of the settlement's currency. */
      creditMinor: column.integer('>= 0'),
      /** Of those with NEG. */
      debitMinor: column.integer('>= 0'),
      /** Of their fees, which are paid in addition. */
      feeMinor: column.integer('>= 0'),
      /** Object: how many operations each fee is paid for, while it is open. */
      operations: column.json(),
      /** Array (`UsedRate`): the exchange rates that its records were changed by. */
      rates: column.json(),
      /** The reconciliation file that has it; empty: none yet. */
      fileName: column.text(),
      ...stamp,
    },
    { isWide: true, indexes: { owner: ['entityId', 'settledAtMs'], state: ['state'], file: ['fileName'] } },
  ),

  /** A line of a settlement (docs/reconciliation.md). */
  settlementRecords: shape(
    {
      /** 32 lowercase hex, made of what it is about: the same line again has the same id. */
      id: column.text(),
      settlementId: column.idOf('settlements'),
      /** From 0 on. */
      position: column.integer('>= 0'),
      entityId: column.idOf('entities'),
      recordType: column.oneOf(...RECORD_TYPES),
      transactionType: column.oneOf(...TRANSACTION_TYPES),
      cashflow: column.oneOf('POS', 'NEG'),
      /** The payment that it matched; the first where there are more. */
      paymentId: column.optional(column.text()),
      amountMinor: column.integer('>= 0'),
      currency: column.text(),
      settlementMinor: column.integer('>= 0'),
      settlementCurrency: column.text(),
      feeMinor: column.integer('>= 0'),
      /** Millionths: 1,000,000 within one currency. */
      rate: column.integer('> 0'),
      requestedAtMs: column.integer(),
      settledAtMs: column.integer(),
      status: column.oneOf('SUCCESS', 'FAILED'),
      matching: column.optional(column.oneOf('MATCHED', 'MULTIPLE_MATCHES', 'NOT_MATCHED')),
      /** Object (`RecordDetail`). Nothing sensitive. */
      detail: column.json(),
      ...stamp,
    },
    {
      isWide: true,
      unique: { position: ['settlementId', 'position'] },
      indexes: { time: ['settlementId', 'requestedAtMs'], payment: ['paymentId'] },
    },
  ),

  /** Up to where an acquirer's record is settled. */
  settlementCursors: shape(
    {
      source: column.text(),
      position: column.integer('>= 0'),
      /** Array: references before that position that are still to be settled. */
      pending: column.json(),
      version,
    },
    { key: ['source'] },
  ),

  /** The nightly work of settlement: claimed by one gateway at a time. */
  settlementRuns: shape(
    {
      source: column.text(),
      /** When it is next done; while it is claimed, when the lease ends. */
      ...claimed,
      version,
    },
    { key: ['source'], indexes: { due: ['dueAtMs'] } },
  ),

  /** A file that a merchant reconciles with (docs/reconciliation.md). */
  reconciliationFiles: shape(
    {
      name: column.text(),
      merchantId: column.idOf('entities'),
      recordCount: column.integer('>= 0'),
      ...stamp,
    },
    { key: ['name'], indexes: { merchant: ['merchantId', 'createdAtMs'] } },
  ),
});
