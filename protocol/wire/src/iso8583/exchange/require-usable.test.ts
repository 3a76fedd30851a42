import { describe, expect, it } from 'vitest';
import { type DialectChanges, DialectError, dialectOf } from '../dialects/dialect-changes.js';
import { DIALECT_NAMES, type DialectName } from '../dialects/dialect-names.js';
import { DIALECT_TABLES } from '../dialects/dialects.js';
import { requireUsable } from './require-usable.js';

const dialect = (name: DialectName, fields: NonNullable<DialectChanges['fields']>) =>
  dialectOf(DIALECT_TABLES[name], { fields });

describe('a dialect in which links work', () => {
  it.each(DIALECT_NAMES)('is each one that is shipped: %s', (name) => {
    expect(() => requireUsable(dialect(name, {}))).not.toThrow();
  });

  it.each<[string, NonNullable<DialectChanges['fields']>]>([
    ['shorter card numbers', { 2: { format: 'n..16' } }],
    [
      'required fields that a message may lack',
      { 61: { presence: 'required' }, 38: { presence: 'required' } },
    ],
    ['a token', { 63: { isRepeated: true } }],
    [
      'fields that are never written',
      { 7: { presence: 'optional' }, 48: { presence: 'never' }, 90: { presence: 'never' } },
    ],
    ['a shorter terminal', { 41: { format: 'an4' } }],
    ['PIN blocks of format 4', { 52: { format: 'b16' } }],
  ])('has %s', (_, fields) => {
    expect(() => requireUsable(dialect('1987-binary', fields))).not.toThrow();
  });
});

describe('a dialect in which none works', () => {
  it.each<[DialectName, number, string]>([
    ['1987-binary', 11, 'n4'],
    ['1987-binary', 4, 'n2'],
    ['1987-binary', 3, 'n4'],
    ['1987-binary', 2, 'n..12'],
    ['1987-binary', 2, 'n..0'],
    ['1987-ascii', 37, 'n8'],
    ['1987-ascii', 38, 'n6'],
    ['1987-binary', 43, 'ans20'],
    ['1987-binary', 55, 'b..4'],
    ['1987-binary', 70, 'n2'],
    ['1987-binary', 90, 'n20'],
    ['1987-binary', 97, 'x+n1'],
    ['cmf', 12, 'n12'],
    ['cmf', 30, 'b8'],
  ])('is refused by its field: %s %i %s', (name, field, format) => {
    const refused = () => requireUsable(dialect(name, { [field]: { format } }));
    expect(refused).toThrow(DialectError);
    expect(refused).toThrow(/must have room for what messages hold there/);
    expect(refused).toThrow(expect.objectContaining({ path: ['fields', String(field)] }));
  });
});
