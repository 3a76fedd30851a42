import { describe, expect, it } from 'vitest';
import {
  AMOUNT,
  BOOLEAN,
  CURRENCY,
  DATE,
  EXPIRY_YEAR,
  type Format,
  integer,
  listOf,
  oneOf,
  PRICE,
  TIMESTAMP,
  text,
  twoDigits,
} from './catalogue/rows/format.js';
import { likelyValue } from './likely-value.js';

const TYPES = oneOf('PA', 'DB', 'CD', 'PA.CP');
const METHODS = oneOf('ELECTRONIC_DELIVERY', 'SAME_DAY_SERVICE', 'TWO_DAY_SERVICE');
const URL_FORMAT: Format = { kind: 'url', min: 6, max: 2048 };

describe('a likely value', () => {
  it.each<[string, Format, string | undefined]>([
    ['10.5', AMOUNT, '10.50'],
    ['10,50', AMOUNT, '10.50'],
    ['10,5', AMOUNT, '10.50'],
    ['1.234,56', AMOUNT, '1234.56'],
    ['1,234.56', AMOUNT, '1234.56'],
    ["1'234.56", AMOUNT, '1234.56'],
    ['€10.00', AMOUNT, '10.00'],
    ['10 EUR', AMOUNT, '10.00'],
    [' 92.00', AMOUNT, '92.00'],
    ['1.000', AMOUNT, undefined],
    ['1,000', AMOUNT, undefined],
    ['10.567', AMOUNT, undefined],
    ['-5.00', AMOUNT, undefined],
    ['ten', AMOUNT, undefined],
    ['10', PRICE, '10.00'],
    ['eur', CURRENCY, 'EUR'],
    ['EURO', CURRENCY, undefined],
    ['db', TYPES, 'DB'],
    ['DEBIT', TYPES, undefined],
    ['same-day service', METHODS, 'SAME_DAY_SERVICE'],
    ['ELECTRONIC_DELIVRY', METHODS, 'ELECTRONIC_DELIVERY'],
    ['True', BOOLEAN, 'true'],
    ['1', BOOLEAN, 'true'],
    ['no', BOOLEAN, 'false'],
    ['5', twoDigits(1, 12), '05'],
    ['34', EXPIRY_YEAR, '2034'],
    ['24.11.2026', DATE, '2026-11-24'],
    ['2026/1/5', DATE, '2026-01-05'],
    ['20261124', DATE, '2026-11-24'],
    ['05/11/2026', DATE, undefined],
    ['31.02.2026', DATE, undefined],
    ['2026-11-24T10:00:00Z', TIMESTAMP, '2026-11-24 10:00:00'],
    ['2026-11-24', TIMESTAMP, '2026-11-24 00:00:00'],
    ['2026-11-24 10:00', TIMESTAMP, '2026-11-24 10:00:00'],
    ['db; rf', listOf('DB', 'RF'), 'DB,RF'],
    ['shop.example/done', URL_FORMAT, 'https://shop.example/done'],
    ['x', text(3, 128), undefined],
    ['12.5', integer(1, 98), undefined],
    ['9'.repeat(100), AMOUNT, undefined],
  ])('of %j', (value, format, likely) => {
    expect(likelyValue(value, format)).toBe(likely);
  });
});
