import { expect, it } from 'vitest';
import { dialectOf } from '../dialects/dialect-changes.js';
import { DIALECT_NAMES } from '../dialects/dialect-names.js';
import { DIALECT_TABLES, DIALECTS } from '../dialects/dialects.js';
import { describeDialect, fieldRule } from './describe-dialect.js';

it('shows what holds for all messages, and each field', () => {
  const lines = describeDialect(
    dialectOf(DIALECT_TABLES['1987-binary'], {
      bitmap: 'hex',
      header: { length: 'ascii', countsItself: true, tpdu: '6007210000' },
      timeZone: 'Europe/Berlin',
      matchedBy: [11, 41],
      fields: {
        2: { filler: 'rightF', presence: 'required' },
        24: { value: '721' },
        60: { presence: 'never' },
      },
    }),
  );
  expect(lines.slice(1, 5)).toEqual([
    'message type: bcd, bitmap: hex digits',
    'frame: length of four ASCII digits that counts itself, TPDU 6007210000',
    'time of fields 12 and 13: Europe/Berlin',
    'an answer is matched by fields 11, 41',
  ]);
  const row = (number: number) => lines.find((line) => line.startsWith(`${number} `))?.split(/ {2,}/);
  expect(row(2)).toEqual([
    ...['2', 'primary account number', 'digits', 'up to 19, 2 digits bcd', 'BCD, right half F', 'required'],
  ]);
  expect(row(24)?.slice(2)).toEqual(['digits', '3', 'BCD, left half 0', 'optional', '721']);
  expect(row(55)?.slice(2)).toEqual(['bytes', 'up to 999, 3 digits bcd', 'bytes', 'optional']);
  expect(row(60)?.at(-1)).toBe('never');
});

it('names what is demanded of a single field', () => {
  const dialect = dialectOf(DIALECT_TABLES['1987-binary'], {
    fields: { 2: { presence: 'required' }, 24: { value: '721' }, 60: { presence: 'never' } },
  });
  expect(fieldRule(dialect, 2)).toBe('digits, up to 19, 2 digits bcd, BCD, right half 0, required');
  expect(fieldRule(dialect, 24)).toBe('digits, 3, BCD, left half 0, set by the dialect');
  expect(fieldRule(dialect, 60)).toMatch(/, never$/);
  expect(fieldRule(dialect, Number('MTI'))).toBeUndefined();
});

it.each(DIALECT_NAMES)('has a line for every field of %s', (name) => {
  const lines = describeDialect(DIALECTS[name]);
  expect(lines.slice(7)).toHaveLength(Object.keys(DIALECTS[name].fields).length);
});
