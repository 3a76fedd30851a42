import type { Sale } from '../api/answers.js';

/** Which sales are listed. */
export const SALE_FILTERS = ['all', 'approved', 'not-approved', 'open'] as const;

/** One of {@link SALE_FILTERS}. */
export type SaleFilter = (typeof SALE_FILTERS)[number];

/** Whether a sale stands in the list: `query` is a part of its card, amount, reference, terminal or till, letters large or small. */
export function isFound(sale: Sale, query: string, filter: SaleFilter): boolean {
  return matchesFilter(sale, filter) && matchesQuery(sale, query);
}

function matchesFilter({ state, outcome, lateDecline }: Sale, filter: SaleFilter): boolean {
  switch (filter) {
    case 'all':
      return true;
    case 'approved':
      return state === 'done' && outcome === 'approved' && !lateDecline;
    case 'not-approved':
      return state === 'done' && (outcome !== 'approved' || lateDecline !== undefined);
    case 'open':
      return state !== 'done';
  }
}

function matchesQuery(sale: Sale, query: string): boolean {
  const wanted = query.trim().toLowerCase();
  if (wanted === '') return true;
  const { reference, terminalId, till, card, amount, approvedAmount, approvalCode } = sale;
  const texts = [reference, terminalId, till, card?.brand, card?.last4Digits, approvalCode];
  if (texts.some((text) => text?.toLowerCase().includes(wanted))) return true;
  // An amount as it is written here or there: 12.34, 12,34, 1234.
  const digits = wanted.replace(',', '.');
  return [amount, approvedAmount].some(
    (each) => each !== undefined && (each.includes(digits) || each.replace('.', '') === digits),
  );
}

const COLUMNS: readonly (readonly [string, (sale: Sale) => string | undefined])[] = [
  ['time', ({ timeline }) => timeline[0]?.at],
  ['type', ({ type }) => type],
  ['amount', ({ approvedAmount, amount }) => approvedAmount ?? amount],
  ['currency', ({ currency }) => currency],
  ['state', ({ state }) => state],
  ['outcome', ({ outcome }) => outcome ?? ''],
  ['brand', ({ card }) => card?.brand],
  ['last4Digits', ({ card }) => card?.last4Digits],
  ['terminal', ({ terminalId }) => terminalId],
  ['till', ({ till }) => till],
  ['mode', ({ mode }) => mode ?? ''],
  ['approvalCode', ({ approvalCode }) => approvalCode],
  ['reference', ({ reference }) => reference],
];

/** Sales as comma-separated values with a heading (RFC 4180). */
export function csvOf(sales: readonly Sale[]): string {
  const rows = sales.map((sale) => COLUMNS.map(([, value]) => csvField(value(sale) ?? '')));
  return [COLUMNS.map(([name]) => name), ...rows].map((row) => `${row.join(',')}\r\n`).join('');
}

/** Quoted where needed; what a spreadsheet would take for a formula is kept a text. */
function csvField(text: string): string {
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
