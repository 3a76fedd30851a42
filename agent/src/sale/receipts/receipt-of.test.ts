import { describe, expect, it } from 'vitest';
import { emvSummary } from '../machine/state/emv-summary.js';
import type { SaleState } from '../machine/state/sale-state.js';
import { APPROVED, chipCard, iccData, REQUEST, stateOf, TC } from '../sale.test.support.js';
import { receiptOf } from './receipt-of.js';

const { facts } = chipCard();
const emv = (cvm: string) => emvSummary(iccData(TC, { '9F34': cvm }), facts);
const sold = (more: Partial<SaleState> = {}): SaleState => ({
  ...stateOf(REQUEST),
  phase: 'done',
  outcome: 'approved',
  mode: 'online',
  card: facts,
  answer: { ...APPROVED, approvalCode: '123456', brand: 'VISA' },
  ...more,
});

describe('the content of a receipt', () => {
  it('has what the sale states', () => {
    expect(receiptOf(sold({ request: { ...REQUEST, till: 'front' } }))).toMatchObject({
      till: 'front',
      brand: 'VISA',
      last4Digits: '0119',
      entryMode: 'ICC',
      approvalCode: '123456',
      resultCode: '000.000.000',
      paymentId: 'p1',
    });
  });

  it('has nothing of what it does not state', () => {
    const { answer: _, ...withoutAnswer } = sold({ outcome: 'declined' });
    const receipt = receiptOf(withoutAnswer);
    for (const name of ['till', 'brand', 'approvalCode', 'resultCode', 'paymentId', 'emv', 'requested'])
      expect(receipt).not.toHaveProperty(name);
    const { card: _card, ...withoutCard } = sold();
    for (const name of ['last4Digits', 'entryMode']) expect(receiptOf(withoutCard)).not.toHaveProperty(name);
    expect(receiptOf(sold({ answer: { ...APPROVED, resultCode: '', paymentId: '' } }))).not.toHaveProperty(
      'resultCode',
    );
  });

  it('is none before the end, of a compacted sale, or without a card and an answer', () => {
    expect(receiptOf(sold({ phase: 'reversing' }))).toBeUndefined();
    expect(receiptOf(sold({ compacted: true }))).toBeUndefined();
    const { card: _, answer: _answer, ...neither } = sold();
    expect(receiptOf(neither)).toBeUndefined();
  });
});

describe('a signature is wanted', () => {
  it.each([
    ['1E0300', true],
    ['5E0300', true],
    ['030000', true],
    ['050000', true],
    ['1F0302', false],
    ['420300', false],
    ['000000', false],
  ])('by the verification %s: %s', (cvm, isWanted) => {
    expect(receiptOf(sold({ emv: emv(cvm) }))?.signature).toBe(isWanted);
  });

  it('of no card without chip data, and of no sale that was not approved', () => {
    expect(receiptOf(sold())?.signature).toBe(false);
    expect(receiptOf(sold({ emv: {} }))?.signature).toBe(false);
    expect(receiptOf(sold({ emv: emv('1E0300'), outcome: 'declined' }))?.signature).toBe(false);
  });
});
