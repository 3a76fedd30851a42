import { expect, it } from 'vitest';
import { NO_TOTALS } from './day-totals.js';
import { exchange } from './exchange-record.test.support.js';
import { Unanswered } from './unanswered.js';

it('keeps exchanges without an answer by merchant and currency, and when the first began', () => {
  const found = new Unanswered();
  expect([found.sinceMs, found.merchants, found.of('M1', 'EUR')]).toEqual([undefined, [], []]);
  const dollars = exchange({ createdAtMs: 5, request: { amount: { minor: 1, currency: 'USD' } } });
  const [first, second] = [exchange({ createdAtMs: 9 }), exchange({ createdAtMs: 7 })];
  for (const record of [first, dollars, second]) found.add(record);
  expect(found.sinceMs).toBe(5);
  expect(found.of('M1', 'EUR')).toEqual([first, second]);
  expect(found.of('M1', 'USD')).toEqual([dollars]);
  expect(found.of('M2', 'EUR')).toEqual([]);
  expect(found.merchants.map(({ merchantId, currency, totals }) => [merchantId, currency, totals])).toEqual([
    ['M1', 'EUR', NO_TOTALS],
    ['M1', 'USD', NO_TOTALS],
  ]);
});

it('leaves out what is of no merchant, or without an amount', () => {
  const found = new Unanswered();
  const { merchantId: _, ...ofNone } = exchange().request ?? {};
  const { amount: _amount, ...withoutAmount } = exchange().request ?? {};
  for (const request of [ofNone, withoutAmount, undefined]) found.add({ ...exchange(), request } as never);
  expect([found.sinceMs, found.merchants]).toEqual([undefined, []]);
});
