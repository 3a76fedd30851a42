import { expect, it } from 'vitest';
import type { PaymentRow } from '../../../kernel/store/rows.js';
import { assertAmounts } from './amount-rules.js';
import { BEGINNING } from './drafts.js';

const AMOUNTS = { ...BEGINNING, id: 'p', amountMinor: 100, authorizedMinor: 100 } as PaymentRow;

it.each([
  'amountMinor',
  'authorizedMinor',
  'capturedMinor',
  'refundedMinor',
  'chargedBackMinor',
  'reversedMinor',
])('%s is whole, and never below zero', (name) => {
  for (const value of [-1, 0.5, Number.NaN, 2 ** 53])
    expect(() => assertAmounts({ ...AMOUNTS, [name]: value })).toThrow(
      'payment p: an amount is negative or not whole',
    );
  expect(() => assertAmounts({ ...AMOUNTS, [name]: 0, authorizedMinor: 0 })).not.toThrow();
});

it('captures and reversals take no more than was authorized', () => {
  expect(() => assertAmounts({ ...AMOUNTS, capturedMinor: 60, reversedMinor: 40 })).not.toThrow();
  expect(() => assertAmounts({ ...AMOUNTS, capturedMinor: 60, reversedMinor: 41 })).toThrow(
    'payment p: captured and reversed exceed authorized',
  );
});

it('refunds and chargebacks take no more than was captured', () => {
  const captured = { ...AMOUNTS, capturedMinor: 60, refundedMinor: 40 };
  expect(() => assertAmounts({ ...captured, chargedBackMinor: 20 })).not.toThrow();
  expect(() => assertAmounts({ ...captured, chargedBackMinor: 21 })).toThrow(
    'payment p: refunded and charged back exceed captured',
  );
});
