import { expect, it } from 'vitest';
import type { PaymentRow } from '../../../kernel/store/rows.js';
import { decodeResult, encodeResult, resultOf } from './results.js';
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

it.each(['', 'LOW', '12.3 EUR', '1.00 JPY', '12.34', '12.34 XXX', '99999999999999999.00 EUR'])(
  'reports no balance to a till where the text is %j',
  (text) => {
    expect(resultOf(payment({ AvailableBalance: text }))).not.toHaveProperty('availableBalance');
    expect(resultOf(payment())).not.toHaveProperty('availableBalance');
  },
);
