import { formatAmount } from '@tillbridge/protocol/payment/money.js';
import type { EntryMode } from '../../drivers/core/driver.js';
import type { SaleType } from '../machine/state/answer.js';
import { voiceOf } from '../machine/state/messages.js';
import { amountOf, approvedAmount, isPartlyApproved, type SaleState } from '../machine/state/sale-state.js';
import { transactionSequenceNumber } from '../records/bridge-messages.js';
import { mayShowApprovalCode, type ReceiptCopy, verdictLines } from './receipt-verdict.js';

/** Characters in a line: 58 mm paper. */
export const RECEIPT_WIDTH = 32;

const TYPES: Readonly<Record<SaleType, string>> = {
  sale: 'SALE',
  refund: 'REFUND',
  preauthorization: 'PREAUTHORIZATION',
};

const ENTRY_MODES: Readonly<Record<EntryMode, string>> = {
  MANUAL: 'keyed',
  MAGSTRIPE: 'swiped',
  MAGSTRIPE_AS_FALLBACK: 'swiped (fallback)',
  ICC: 'chip',
  NFC_ICC: 'contactless',
  NFC_MAGSTRIPE: 'contactless (magstripe)',
};

/**
 * Both receipts of a sale that has ended with a card; `undefined` before, and for a sale without one.
 * An approval without the gateway says so, and one without a cryptogram of the card bears no approval code
 * (reference: terminals §3, rule 11).
 */
export function receipts(state: SaleState): { customer: string; merchant: string } | undefined {
  if (state.phase !== 'done' || (!state.card && !state.answer)) return undefined;
  return { customer: receipt(state, 'customer'), merchant: receipt(state, 'merchant') };
}

function receipt(state: SaleState, copy: ReceiptCopy): string {
  const sections = [
    [center(copy === 'customer' ? 'CUSTOMER COPY' : 'MERCHANT COPY'), center(TYPES[state.request.type])],
    head(state),
    card(state),
    emv(state),
    result(state, copy),
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

function head(state: SaleState): string[] {
  const at = new Date(state.acceptedAtMs).toISOString();
  // What the cardholder pays by this card; what was asked for stands beside it.
  const amount = isPartlyApproved(state) ? approvedAmount(state) : amountOf(state);
  const asked = isPartlyApproved(state) ? amountOf(state) : undefined;
  return lines([
    ['Date', `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`],
    ['Terminal', state.terminalId],
    ['Sequence', String(transactionSequenceNumber(state))],
    ['Reference', state.reference],
    ['Amount', `${amount.currency} ${formatAmount(amount)}`],
    ['Of a total of', asked && `${asked.currency} ${formatAmount(asked)}`],
  ]);
}

function card({ card: facts, answer }: SaleState): string[] {
  return lines([
    ['Card', facts?.last4Digits && `************${facts.last4Digits}`],
    ['Brand', answer?.brand],
    ['Entry', facts && ENTRY_MODES[facts.entryMode]],
  ]);
}

function emv({ emv: data }: SaleState): string[] {
  return lines([
    ['AID', data?.aid],
    ['Application', data?.label],
    ['TVR', data?.tvr],
    ['TSI', data?.tsi],
    ['ARC', data?.arc],
    ['ATC', data?.atc],
    [data?.acType ?? 'AC', data?.ac],
  ]);
}

function result(state: SaleState, copy: ReceiptCopy): string[] {
  const { outcome, answer, reason } = state;
  const approved = outcome === 'approved';
  const out = verdictLines(state, copy).map(center);
  if (mayShowApprovalCode(state)) {
    out.push(...lines([['Approval code', voiceOf(state)?.approvalCode ?? answer?.approvalCode]]));
  }
  if (reason === 'declined-later' && copy === 'merchant')
    out.push(...lines([['Result', answer?.resultCode]]));
  out.push(...lines([['Payment', answer?.paymentId && copy === 'merchant' ? answer.paymentId : undefined]]));
  if (approved && copy === 'merchant' && signatureWanted(state))
    out.push('', 'Signature', '_'.repeat(RECEIPT_WIDTH));
  return out;
}

/** CVM codes that ask for a signature on paper (EMV Book 3 Annex C3), the "apply next" bit aside. */
const SIGNATURE_CODES: ReadonlySet<number> = new Set([0x03, 0x05, 0x1e]);

function signatureWanted({ emv: data }: SaleState): boolean {
  return data?.cvm !== undefined && SIGNATURE_CODES.has(Number.parseInt(data.cvm.slice(0, 2), 16) & 0x3f);
}

function lines(pairs: readonly (readonly [string, string | undefined])[]): string[] {
  return pairs.flatMap(([name, value]) => (value ? [pair(name, value)] : []));
}

/** Name on the left, value on the right; a long value has lines of its own. */
function pair(name: string, value: string): string {
  const gap = RECEIPT_WIDTH - name.length - value.length;
  if (gap >= 1) return `${name}${' '.repeat(gap)}${value}`;
  const pieces = value.match(new RegExp(`.{1,${RECEIPT_WIDTH - 2}}`, 'gu')) ?? [];
  return [name, ...pieces.map((piece) => `  ${piece}`)].join('\n');
}

function center(text: string): string {
  return `${' '.repeat(Math.max(0, Math.floor((RECEIPT_WIDTH - text.length) / 2)))}${text}`;
}
