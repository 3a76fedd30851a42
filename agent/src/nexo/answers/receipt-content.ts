import {
  type OutputContent,
  type ReceiptLine,
  receiptContent,
} from '@tillbridge/protocol/nexo/output-text.js';
import type { SaleAnswer } from '../../sale/machine/state/answer.js';

/** Which copies of a receipt a till may ask for. */
export const RECEIPT_KINDS = ['CashierReceipt', 'CustomerReceipt'] as const;
export type ReceiptKind = (typeof RECEIPT_KINDS)[number];

/** A receipt for the till to print. */
export interface PaymentReceipt {
  readonly DocumentQualifier: ReceiptKind;
  readonly OutputContent: OutputContent;
  readonly RequiredSignatureFlag: boolean;
}

const COPIES = { CashierReceipt: 'merchant', CustomerReceipt: 'customer' } as const;
/** Name and value of a line of two columns. */
const COLUMNS = /^(\S.*?)\s{2,}(\S.*)$/;

/** The receipts of a sale; none before its end and for a sale without a card. */
export function paymentReceipts(
  { receipts }: SaleAnswer,
  kinds: readonly ReceiptKind[] = RECEIPT_KINDS,
): readonly PaymentReceipt[] {
  if (!receipts) return [];
  return kinds.map((kind) => {
    const lines = receipts[COPIES[kind]].split('\n');
    return {
      DocumentQualifier: kind,
      OutputContent: receiptContent(lines.map(lineOf)),
      RequiredSignatureFlag: lines.includes('Signature'),
    };
  });
}

function lineOf(text: string, index: number): ReceiptLine {
  const trimmed = text.trim();
  if (trimmed === '') return { key: `blank${index}` };
  const [, name, value] = COLUMNS.exec(text) ?? [];
  if (name === undefined || value === undefined) return { key: `text${index}`, name: trimmed };
  return { key: keyOf(name), name, value };
}

/** `Approval code` is `approvalCode`. */
function keyOf(name: string): string {
  const words = name.toLowerCase().split(/[^a-z0-9]+/);
  return words.map((word, at) => (at === 0 ? word : word.slice(0, 1).toUpperCase() + word.slice(1))).join('');
}
