import { expect, it } from 'vitest';
import { ageText, amountText, timeText } from './format.js';

it('writes amounts with their currency and their own decimals', () => {
  expect([
    amountText('12.30', 'EUR'),
    amountText('700', 'JPY'),
    amountText('700.00', 'JPY'),
    amountText('7.50', 'HUF'),
    amountText('7.50', 'KWD'),
    amountText('1', 'no'),
  ]).toEqual(['€12.30', '¥700', '¥700', 'HUF\u00a07.50', 'KWD\u00a07.50', '1 no']);
  // More digits than a number keeps.
  expect(amountText('90071992547409.93', 'EUR')).toBe('€90,071,992,547,409.93');
});

it('writes ages in two units', () => {
  expect([0, 0.4, 59, 60, 200, 3_600, 187_200].map(ageText)).toEqual([
    '0 s',
    '0 s',
    '59 s',
    '1 min',
    '3 min 20 s',
    '1 h',
    '2 d 4 h',
  ]);
});

it('writes the time of the store', () => {
  expect(timeText('2026-11-23T11:05:09Z', 'Europe/Berlin')).toBe('12:05:09');
});
