import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { RATE_HEADERS, readRates } from './read-rates.js';

const read = (...rows: readonly string[]) =>
  readRates(Readable.from([Buffer.from([RATE_HEADERS.join(';'), ...rows].join('\n'))]));

it('reads rates with their dates', async () => {
  const { rates, faults } = await read(
    'USD;EUR;0.923412;2026-11-20;',
    'JPY;EUR;0.0058;2026-11-20 12:00:00;2026-12-01',
  );
  expect(faults).toEqual([]);
  const about = { settlementCurrency: 'EUR' };
  expect(rates).toEqual([
    { ...about, currency: 'USD', rate: 923_412, fromMs: Date.UTC(2026, 10, 20), untilMs: null },
    {
      ...about,
      currency: 'JPY',
      rate: 5_800,
      fromMs: Date.UTC(2026, 10, 20, 12),
      untilMs: Date.UTC(2026, 11, 1),
    },
  ]);
});

it.each([
  ['USD;EUR;0;2026-11-20;', 'Rate must be more than 0'],
  ['USD;EUR;1.1234567;2026-11-20;', 'at most six decimals'],
  ['USD;EUR;-1;2026-11-20;', 'Rate must be'],
  ['USD;EUR;1;2026-02-30;', 'ValidFrom must be a date'],
  ['USD;EUR;1;2026-11-20;soon', 'ValidUntil must be a date'],
  ['USD;EUR;1;2026-11-20;2026-11-20', 'must end after it begins'],
  ['USD;EURO;1;2026-11-20;', 'EURO is no currency'],
  ['EUR;EUR;1;2026-11-20;', 'needs no rate in itself'],
  ['USD;EUR;1;2026-11-20', 'has 4 values'],
])('%s is refused with its line', async (row, what) => {
  const { rates, faults } = await read(row, 'USD;EUR;1;2026-11-20;');
  expect(rates).toHaveLength(1);
  expect(faults).toEqual([{ line: 2, what: expect.stringContaining(what) }]);
});

it('refuses other columns before it reads a row', async () => {
  const { faults } = await readRates(Readable.from(['Currency;Rate\nUSD;1\nGBP;2\n']));
  expect(faults).toEqual([{ line: 1, what: expect.stringContaining('the columns must be') }]);
});
