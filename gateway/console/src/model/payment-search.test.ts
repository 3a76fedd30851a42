import { expect, it } from 'vitest';
import { filterOf, meaningsOf, parametersOf, queryOf } from './payment-search.js';

it.each([
  ['anna@example.com', 'customer.email'],
  ['12.34', 'amount'],
  ['12,34', 'amount'],
  ['1002', 'card.last4Digits'],
  ['8'.repeat(32), 'id'],
  ['1234.5678.9012', 'id'],
  ['order 7 <b>', 'merchantTransactionId'],
  ['store-1', 'pos.terminalId'],
])('takes %s for the likeliest first: %s', (text, by) => {
  expect(meaningsOf(text)[0]).toBe(by);
});

it('lets nothing out that four digits may be', () => {
  expect(meaningsOf('1002')).toEqual([
    'card.last4Digits',
    'pos.terminalId',
    'merchantTransactionId',
    'agentId',
    'id',
    'amount',
  ]);
  expect(meaningsOf('')).toEqual([]);
});

it('keeps a filter in the address, and drops what it does not know', () => {
  const query = {
    q: '1002',
    by: 'pos.terminalId',
    outcome: 'declined',
    types: 'DB,PA.CP',
    from: '2026-11-01',
  };
  expect(queryOf(filterOf(query))).toEqual(query);
  expect(
    queryOf(filterOf({ q: ' ', by: 'password', outcome: '<b>', types: '"', from: 'yesterday' })),
  ).toEqual({});
});

it('writes amounts and times as the search expects them', () => {
  const filter = filterOf({ q: '12,34', from: '2026-11-01', to: '2026-11-02' });
  expect(parametersOf(filter, 'amount')).toEqual({
    amount: '12.34',
    'date.from': '2026-11-01 00:00:00',
    'date.to': '2026-11-02 23:59:59',
  });
  expect(parametersOf(filterOf({ q: '12' }), 'amount')).toEqual({ amount: '12.00' });
});
