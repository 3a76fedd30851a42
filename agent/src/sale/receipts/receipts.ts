import type { SaleState } from '../machine/state/sale-state.js';
import { composeReceipt } from './compose-receipt.js';
import type { ReceiptCopy } from './receipt-data.js';
import { receiptText } from './receipt-lines.js';
import { receiptOf } from './receipt-of.js';
import { DEFAULT_STORE, type StoreConfig } from './store.js';

/** Characters in a line of the receipts in answers: 58 mm paper. */
export const RECEIPT_WIDTH = 32;

/** Both receipts of a sale as texts in the language of the store; `undefined` where {@link receiptOf} has none. */
export function receipts(
  state: SaleState,
  store: StoreConfig = DEFAULT_STORE,
): { customer: string; merchant: string } | undefined {
  const data = receiptOf(state);
  if (!data) return undefined;
  const text = (copy: ReceiptCopy) => receiptText(composeReceipt(data, { copy, store }), RECEIPT_WIDTH);
  return { customer: text('customer'), merchant: text('merchant') };
}
