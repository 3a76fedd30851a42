import { describe, expect, it } from 'vitest';
import { isNamePattern, nameReader } from './file-names.js';

describe('a pattern of names', () => {
  it.each(['settlement-{day}.csv', 'chargebacks-*.csv', 'ACME_{day}_*.txt', 'a'])('%s is one', (pattern) => {
    expect(isNamePattern(pattern)).toBe(true);
  });

  it.each([
    '',
    '../{day}.csv',
    'in/{day}.csv',
    '.{day}',
    '{day}-{day}.csv',
    'a b',
    '{month}',
    'ä.csv',
    'x'.repeat(129),
    '*-*-*-*.csv',
  ])('%s is none', (pattern) => {
    expect(isNamePattern(pattern)).toBe(false);
  });

  it('fits names, and reads their day', () => {
    const read = nameReader('settlement-{day}.csv');
    expect(read('settlement-20261123.csv')).toEqual({ day: 20261123 });
    expect(read('settlement-2026-11-23.csv')).toEqual({ day: 20261123 });
    for (const other of [
      ...['settlement-20261131.csv', 'settlement-20260229.csv', 'settlement-00000000.csv', 'settlement-.csv'],
      ...['settlement-20261123xcsv', 'xsettlement-20261123.csv', 'settlement-20261123.csv.part'],
    ])
      expect(read(other), other).toBeUndefined();
  });

  it('fits any part at its wildcard, and never another folder', () => {
    const read = nameReader('*.csv');
    expect(read('chargebacks-7.csv')).toEqual({});
    for (const other of ['.csv', '../a.csv', 'a/b.csv', 'a\n.csv', 'a b.csv', `${'a'.repeat(125)}.csv`])
      expect(read(other), other).toBeUndefined();
  });
});
