import { expect, it } from 'vitest';
import { isReceipt } from './transfers.js';

const RECEIPT = {
  recordType: 'SETTLED',
  transactionType: 'DEBIT',
  cashflow: 'POS',
  status: 'SUCCESS',
} as const;

it('takes for money that came in what a bank has settled, and nothing else', () => {
  expect(isReceipt(RECEIPT)).toBe(true);
  expect(isReceipt({ ...RECEIPT, recordType: 'FEE' })).toBe(false);
  expect(isReceipt({ ...RECEIPT, transactionType: 'REFUND' })).toBe(false);
  expect(isReceipt({ ...RECEIPT, cashflow: 'NEG' })).toBe(false);
  expect(isReceipt({ ...RECEIPT, status: 'FAILED' })).toBe(false);
});
