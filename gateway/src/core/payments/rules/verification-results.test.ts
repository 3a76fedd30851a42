import { expect, it } from 'vitest';
import type { PaymentRow } from '../../../kernel/store/rows.js';
import { verificationColumn, verificationResultsOf } from './verification-results.js';

it('reads what it wrote, without what is undefined', () => {
  const column = verificationColumn({ avsResponse: 'N', cvvResponse: undefined, riskScore: 0 });
  expect(column).toEqual({ answer: '{"avsResponse":"N","riskScore":0}' });
  expect(verificationResultsOf(column as PaymentRow)).toEqual({ avsResponse: 'N', riskScore: 0 });
});
