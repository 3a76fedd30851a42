import { formatAmount } from '@tillbridge/wire/payment/money.js';
import { paymentTypeOf } from '../../../core/payments/rules/lifecycle-facts.js';
import { harmlessCell } from '../../../kernel/api/cell.js';
import type { PaymentRow } from '../../../kernel/store/rows.js';
import { emailOf } from './search-terms.js';

/** Columns of the file, in their order. */
const COLUMNS: readonly (readonly [
  header: string,
  of: (payment: PaymentRow) => string | null | undefined,
])[] = [
  ['id', ({ id }) => id],
  ['timestamp', ({ createdAtMs }) => new Date(createdAtMs).toISOString()],
  ['entityId', ({ entityId }) => entityId],
  ['paymentType', paymentTypeOf],
  [
    'amount',
    ({ amountMinor: minor, currency }) => (currency === '' ? '' : formatAmount({ minor, currency })),
  ],
  ['currency', ({ currency }) => currency],
  ['paymentBrand', ({ brand }) => brand],
  ['card.bin', ({ bin }) => bin],
  ['card.last4Digits', ({ last4Digits }) => last4Digits],
  ['result.code', ({ resultCode }) => resultCode],
  ['result.description', ({ description }) => description],
  ['responseCode', ({ responseCode }) => responseCode],
  ['merchantTransactionId', ({ reference }) => reference],
  ['pos.terminalId', ({ terminalId }) => terminalId],
  ['agentId', ({ agentId }) => agentId],
  ['customer.email', emailOf],
  ['referencedId', ({ referencedId }) => referencedId],
];

/** The line of headings. */
export const CSV_HEAD = `${COLUMNS.map(([header]) => header).join(',')}\r\n`;

/** A payment as a line of a file that no spreadsheet calculates (RFC 4180). Pure. */
export function csvLine(payment: PaymentRow): string {
  return `${COLUMNS.map(([, of]) => cell(of(payment) ?? '')).join(',')}\r\n`;
}

function cell(text: string): string {
  const harmless = harmlessCell(text);
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
