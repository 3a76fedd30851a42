import type { SaleAnswer } from '../../sale/machine/state/answer.js';
import {
  composeReceipt,
  type ReceiptDocument,
  type ReceiptKey,
  type ReceiptLine,
} from '../../sale/receipts/compose-receipt.js';
import type { ReceiptData } from '../../sale/receipts/receipt-data.js';
import { printable } from '../../sale/receipts/receipt-lines.js';
import { RECEIPT_TEXTS } from '../../sale/receipts/receipt-texts.js';
import type { StoreConfig } from '../../sale/receipts/store.js';
import { SaleError, type SaleService } from '../../sale/service/sale-service.js';
import { type OutputContent, receiptContent, type ReceiptLine as Text } from '../messages/output-text.js';

/** Which copies of a receipt a till may ask for. */
export const RECEIPT_KINDS = ['CashierReceipt', 'CustomerReceipt'] as const;
export type ReceiptKind = (typeof RECEIPT_KINDS)[number];

/** A receipt for the till to print. */
export interface PaymentReceipt {
  readonly DocumentQualifier: ReceiptKind;
  readonly OutputContent: OutputContent;
  readonly RequiredSignatureFlag: boolean;
}

/** What receipts are made of. */
interface ReceiptDeps {
  readonly sales: Pick<SaleService, 'receipt'>;
  readonly store: StoreConfig;
  /** All of them where absent. */
  readonly kinds?: readonly ReceiptKind[];
  /** When they are printed once more; absent for the first time. Milliseconds since 1970. */
  readonly reprintedAtMs?: number;
}

const COPIES = { CashierReceipt: 'merchant', CustomerReceipt: 'customer' } as const;

/** The keys by which tills of this family find a line; a line that is not here has its own name as key. */
const KEYS: Readonly<Partial<Record<ReceiptKey, string>>> = {
  customerCopy: 'cardholderHeader',
  merchantCopy: 'merchantTitle',
  type: 'txtype',
  merchant: 'mid',
  terminal: 'tid',
  reference: 'mref',
  payment: 'txRef',
  amount: 'totalAmount',
  card: 'pan',
  brand: 'paymentMethod',
  entry: 'posEntryMode',
  application: 'preferredName',
  approvalCode: 'authCode',
};
const FILLER: Text = { key: 'filler' };

/** The receipts of a sale; none before its end, for a sale without a card and after its retention. */
export async function paymentReceipts(
  { reference, receipts }: SaleAnswer,
  { sales, store, kinds = RECEIPT_KINDS, reprintedAtMs }: ReceiptDeps,
): Promise<readonly PaymentReceipt[]> {
  const data = receipts && kinds.length > 0 ? await dataIfThere(sales, reference) : undefined;
  if (!data) return [];
  const again = reprintedAtMs === undefined ? {} : { reprintedAtMs };
  return kinds.map((kind) => {
    const document = composeReceipt(data, { copy: COPIES[kind], store, ...again });
    return {
      DocumentQualifier: kind,
      OutputContent: receiptContent(linesOf(document)),
      RequiredSignatureFlag: kind === 'CashierReceipt' && data.signature,
    };
  });
}

async function dataIfThere(sales: ReceiptDeps['sales'], reference: string): Promise<ReceiptData | undefined> {
  try {
    return await sales.receipt(reference);
  } catch (error) {
    if (error instanceof SaleError && error.code === 'not-allowed') return undefined;
    throw error;
  }
}

/** Groups are parted by blank lines. */
function linesOf({ language, groups }: ReceiptDocument): readonly Text[] {
  let headers = 0;
  return groups.flatMap((lines, group) => {
    const texts = lines.flatMap((line): readonly Text[] => {
      if (line.key === 'date') return dateAndTime(line, RECEIPT_TEXTS[language].time);
      if (line.key !== 'store') return [textOf(line, KEYS[line.key] ?? line.key)];
      headers += 1;
      return [textOf(line, `header${headers}`)];
    });
    return group === 0 ? texts : [FILLER, ...texts];
  });
}

function textOf(line: ReceiptLine, key: string): Text {
  if (line.kind === 'pair') return { key, name: line.name, value: printable(line.value) };
  const name = line.kind === 'signature' ? line.name : line.text;
  return { key, name: printable(name), bold: line.kind === 'heading' || line.kind === 'verdict' };
}

/** Tills of this family look for the date and the time as two lines. */
function dateAndTime(line: ReceiptLine, timeName: string): readonly Text[] {
  if (line.kind !== 'pair') return [];
  const [date = '', ...time] = line.value.split(' ');
  return [
    { key: 'txdate', name: line.name, value: date },
    { key: 'txtime', name: timeName, value: time.join(' ') },
  ];
}
