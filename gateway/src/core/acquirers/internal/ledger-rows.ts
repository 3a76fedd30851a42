import type { RowOf } from '@tillbridge/platform/sqlite/table.js';
import { APPROVED_IN_PART } from '@tillbridge/wire/iso8583/exchange/approvals.js';
import { creditorReference, TRANSFER_TEXT_LENGTH } from '@tillbridge/wire/payment/creditor-reference.js';
import { formatAmount } from '@tillbridge/wire/payment/money.js';
import { addPresent } from '@tillbridge/wire/present.js';
import {
  type AcquirerAnswer,
  type AcquirerDecision,
  type AcquirerPayee,
  type AcquirerPending,
  type AcquirerRedirect,
  type AcquirerTransaction,
  isChargebackKind,
  type RecordEntry,
} from '../acquirer.js';
import { REQUEST_KINDS } from '../request-kinds.js';
import type { TRANSACTIONS } from './ledger-tables.js';
import { PENDING } from './response-codes.js';

/** Name of the acquirer in every record. */
export const INTERNAL_ACQUIRER = 'INTERNAL';

/** One transaction of the acquirer's own ledger. No card number: last four digits and a keyed hash. */
export type LedgerRow = Omit<RowOf<typeof TRANSACTIONS>, 'position'>;

/** The answer as it was given. */
export function storedAnswer(row: LedgerRow): AcquirerAnswer {
  if (isPending(row)) return pendingAnswer(row);
  const { resultCode, responseCode, iccDataResponse } = row;
  const { approvalCode, avsResponse, cvvResponse, balanceMinor, networkTransactionId } = row;
  const answer: AcquirerDecision = { approved: row.approved === 1, resultCode, responseCode };
  addPresent(answer, {
    approvedMinor: responseCode === APPROVED_IN_PART ? row.amountMinor : undefined,
    approvalCode,
    iccDataResponse: iccDataResponse === null ? undefined : Buffer.from(iccDataResponse, 'hex'),
    avsResponse,
    cvvResponse,
    payee: row.approved === 1 ? payeeOf(row).payee : undefined,
    balanceMinor,
    networkTransactionId,
  });
  return answer;
}

/** The merchant's account at the simulated bank. */
const PAYEE: AcquirerPayee = {
  holder: 'Test Merchant',
  number: 'DE02100000000000000010',
  bic: 'MARKDEF1100',
  country: 'DE',
};

function payeeOf({ instrument }: LedgerRow): { readonly payee?: AcquirerPayee } {
  return instrument === 'bank-account' ? { payee: PAYEE } : {};
}

/** Whether the decision on a transaction is still to come. */
export function isPending({ responseCode }: Pick<LedgerRow, 'responseCode'>): boolean {
  return responseCode === PENDING;
}

/** Whether the bank takes the money back by now, and that is not recorded yet: what was given back before stays given back. */
export function isReturned(row: LedgerRow, nowMs: number): boolean {
  const isDue = row.returnAtMs !== null && row.returnAtMs <= nowMs;
  return isDue && row.capturedMinor > 0 && row.refundedMinor === 0 && row.reversedMinor === 0;
}

function pendingAnswer(row: LedgerRow): AcquirerPending {
  const { redirect, resultCode, responseCode } = row;
  const to = redirect === null ? {} : { redirect: JSON.parse(redirect) as AcquirerRedirect };
  const pending = row.redirect === null ? transferOf(row) : { ...to, ...payeeOf(row) };
  return { approved: false, pending, resultCode, responseCode };
}

/** What a payer transfers the money to: its reference is the random part of the acquirer's. */
function transferOf({ acquirerReference }: LedgerRow): AcquirerPending['pending'] {
  const reference = creditorReference(acquirerReference.slice(-TRANSFER_TEXT_LENGTH).toUpperCase());
  return { payee: { ...PAYEE, reference }, awaitsReceipt: true };
}

/** Whether an approved transaction was reversed as a whole. */
export function isReversed(row: LedgerRow): boolean {
  return row.approved === 1 && row.kind !== 'reversal' && row.reversedMinor >= row.amountMinor;
}

/** The row as the acquirer shows it. */
export function asTransaction(row: LedgerRow): AcquirerTransaction {
  return {
    acquirer: INTERNAL_ACQUIRER,
    acquirerReference: row.acquirerReference,
    ...(row.messageId !== null && { messageId: row.messageId }),
    kind: shownKind(moneyKind(row)),
    amount: formatAmount({ minor: row.amountMinor, currency: row.currency }),
    currency: row.currency,
    approved: row.approved === 1,
    reversed: isReversed(row),
    ...(row.terminalId !== null && { terminalId: row.terminalId }),
    ...(row.last4Digits !== null && { last4Digits: row.last4Digits }),
    at: new Date(row.atMs).toISOString(),
  };
}

/** The row as the gateway compares it with what it knows itself. */
export function asRecordEntry(row: LedgerRow): RecordEntry {
  const { acquirerReference, originalReference, messageId, currency, amountMinor } = row;
  const { capturedMinor, refundedMinor, chargedBackMinor, reversedMinor, atMs } = row;
  return {
    acquirerReference,
    originalReference,
    messageId,
    kind: moneyKind(row),
    approved: row.approved === 1,
    isPending: isPending(row),
    captureNow: row.captureNow === 1,
    currency,
    amountMinor,
    capturedMinor,
    refundedMinor,
    chargedBackMinor,
    reversedMinor,
    reason: row.returnReason,
    atMs,
  };
}

function moneyKind({ kind }: LedgerRow): RecordEntry['kind'] {
  if (kind === 'inquiry') throw new Error('an inquiry moves no money, and is in no record');
  return kind;
}

function shownKind(kind: RecordEntry['kind']): RecordEntry['kind'] {
  return isChargebackKind(kind) ? kind : (REQUEST_KINDS[kind].recordedAs ?? kind);
}
