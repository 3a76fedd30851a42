import { expect, it } from 'vitest';
import type { PaymentRow } from '../../../kernel/store/rows.js';
import { bareResult, decodeResult, encodeResult, resultOf } from './results.js';
import { verificationColumn } from './verification-results.js';

const payment = (acquirerDetails?: Readonly<Record<string, string>>) =>
  ({
    ...{ id: 'p', type: 'DB', state: 'captured', resultCode: '000.000.000', description: '' },
    ...{ amountMinor: 100, currency: 'EUR', approvalCode: null, responseCode: '00', brand: null },
    ...{ iccDataResponse: null, ...verificationColumn({ acquirerDetails }) },
  }) as PaymentRow;

it.each([
  ['12.34 EUR', { minor: 1_234, currency: 'EUR' }],
  ['-0.05 EUR', { minor: -5, currency: 'EUR' }],
  ['100 JPY', { minor: 100, currency: 'JPY' }],
  ['1.234 KWD', { minor: 1_234, currency: 'KWD' }],
])('reports an available balance of %s to a till', (text, expected) => {
  const result = resultOf(payment({ AvailableBalance: text, CashBackAmount: '20.00 EUR' }));
  expect(result).toMatchObject({ availableBalance: expected, cashBack: { minor: 2_000, currency: 'EUR' } });
  expect(decodeResult(encodeResult(result))).toEqual(result);
});

it.each([
  '',
  'LOW',
  'x12.34 EUR',
  '12.34 EURO',
  '12.34 EUR ',
  '12.34  EUR',
  '12.3 EUR',
  '1.00 JPY',
  '12.34',
  '12.34 XXX',
  '99999999999999999.00 EUR',
])('reports no balance to a till where the text is %j', (text) => {
  expect(resultOf(payment({ AvailableBalance: text }))).not.toHaveProperty('availableBalance');
  expect(resultOf(payment())).not.toHaveProperty('availableBalance');
});

it.each([
  ['declined', 'DB', 'declined'],
  ['pending', 'DB', 'pending'],
  ['captured', 'DB', 'approved'],
  ['completed', 'RF', 'approved'],
  ['completed', 'RV', 'reversed'],
  ['declined', 'RV', 'declined'],
] as const)('a payment that is %s, of the type %s, is %s', (state, type, disposition) => {
  expect(resultOf({ ...payment(), state, type }).disposition).toBe(disposition);
  expect(resultOf({ ...payment(), state, type }, 'refused').disposition).toBe('refused');
});

it('has what the payment states, and nothing else', () => {
  const plain = { ...payment(), responseCode: null };
  const amount = { minor: 100, currency: 'EUR' };
  const result = {
    disposition: 'approved',
    resultCode: '000.000.000',
    description: '',
    paymentId: 'p',
    amount,
  };
  expect(resultOf(plain)).toStrictEqual(result);
  const more = { approvalCode: '123456', responseCode: '00', iccDataResponse: '8A023030', brand: 'VISA' };
  const whole = resultOf({ ...plain, ...more });
  const iccDataResponse = Uint8Array.of(0x8a, 0x02, 0x30, 0x30);
  expect({ ...whole, iccDataResponse: [...(whole.iccDataResponse ?? [])] }).toEqual({
    ...result,
    ...more,
    iccDataResponse: [...iccDataResponse],
  });
  expect(decodeResult(encodeResult(whole))).toEqual(whole);
  expect(encodeResult({ ...whole, payment: plain })).toBe(encodeResult(whole));
});

it('describes a result without a payment', () => {
  const { description, ...bare } = bareResult('refused', '700.300.100');
  expect(bare).toEqual({ disposition: 'refused', resultCode: '700.300.100' });
  expect(description).not.toBe('');
});
