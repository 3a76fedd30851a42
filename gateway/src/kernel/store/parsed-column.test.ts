import { expect, it } from 'vitest';
import { parsedColumn } from './parsed-column.js';

it('parses a column once for each row', () => {
  const amountOf = parsedColumn<'echo', { readonly amount: string }>('echo');
  const row = { echo: '{"amount":"1.00"}' };
  expect(amountOf(row)).toEqual({ amount: '1.00' });
  expect(amountOf(row)).toBe(amountOf(row));
  // A changed row is another object.
  expect(amountOf({ ...row, echo: '{"amount":"2.00"}' })).toEqual({ amount: '2.00' });
});
