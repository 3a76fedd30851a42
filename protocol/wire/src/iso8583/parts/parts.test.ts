import { describe, expect, it } from 'vitest';
import { DIALECTS, type Dialect } from '../dialects/dialects.js';
import { packParts, unpackParts } from './parts.js';

const binary: Dialect = DIALECTS['1987-binary'];
const { cmf }: { cmf: Dialect } = DIALECTS;

function parted(dialect: Dialect, field: number) {
  const spec = dialect.fields[field];
  if (!spec) throw new Error(`no field ${field}`);
  return { field, spec };
}

describe('parts of fields', () => {
  it.each<[string, Dialect, number, Record<string, string>, string]>([
    [
      'original data elements',
      binary,
      90,
      {
        mti: '0200',
        stan: '000007',
        transmitted: '1123072200',
        acquirer: '00000012345',
        forwarder: '00000000000',
      },
      '020000000711230722000000001234500000000000',
    ],
    [
      'replacement amounts',
      binary,
      95,
      {
        transaction: '000000000500',
        settlement: '000000000000',
        transactionFee: 'C00000000',
        settlementFee: 'D00000001',
      },
      '000000000500000000000000C00000000D00000001',
    ],
    [
      'additional amounts, two groups',
      binary,
      54,
      {
        '1.account': '00',
        '1.type': '02',
        '1.currency': '978',
        '1.amount': 'C000000000100',
        '2.account': '00',
        '2.type': '01',
        '2.currency': '978',
        '2.amount': 'D000000000200',
      },
      '0002978C0000000001000001978D000000000200',
    ],
    ['tags of additional data', binary, 48, { '40': '05', '70': '123' }, '400020570003123'],
    [
      'original data elements whose last part is shorter',
      cmf,
      56,
      { mti: '2100', stan: '000000000007', local: '20261123072200', acquirer: '12345' },
      '21000000000000072026112307220012345',
    ],
    [
      'an original amount in bytes',
      cmf,
      30,
      { transaction: '9782000000000500', reconciliation: '0'.repeat(16) },
      `9782000000000500${'0'.repeat(16)}`,
    ],
    ['sub-fields behind a bitmap', cmf, 43, { '2': 'Shop', '7': '276' }, '42000000000000000453686F70323736'],
    ['a data set', cmf, 49, { '71.2': '0123' }, '71000440000123'],
    ['a data set with a second bitmap', cmf, 34, { '73.9': '01', '73.18': 'ab' }, '730009808040003031026162'],
  ])('%s', (_, dialect, field, values, value) => {
    const of = parted(dialect, field);
    expect(packParts(of, values)).toBe(value);
    expect(unpackParts(of, value)).toEqual(values);
  });

  it.each<[string, string, Dialect, number, string]>([
    ['a tag cut short', 'truncated', binary, 48, '4'],
    ['a length above what is there', 'truncated', binary, 48, '40003ab'],
    ['a tag twice', 'badField', binary, 48, '400010400011'],
    ['half a group', 'truncated', binary, 54, '0002978C'],
    ['too many groups', 'trailing', binary, 54, '0002978C000000000100'.repeat(7)],
    ['bytes behind the parts', 'trailing', cmf, 30, '00'.repeat(17)],
    ['a bitmap cut short', 'truncated', cmf, 43, '4200'],
    ['a bit without specification', 'badField', cmf, 43, '0000000000000001'],
    ['an unknown data set', 'badField', cmf, 49, '70000100'],
    ['a data set that ends early', 'truncated', cmf, 49, '710009'],
    ['a second bitmap that is not there', 'truncated', cmf, 34, '7300028000'],
    ['a field that has no parts', 'badField', binary, 4, '000000000001'],
    ['card data, which TLV reads', 'badField', binary, 55, '9F2700'],
  ])('refuses to read %s', (_, code, dialect, field, value) => {
    expect(() => unpackParts(parted(dialect, field), value)).toThrow(
      expect.objectContaining({ code, field }),
    );
  });

  it('refuses to write what is longer than its field', () => {
    const long = { '10': 'x'.repeat(999), '11': 'x' };
    expect(() => packParts(parted(binary, 48), long)).toThrow(expect.objectContaining({ code: 'tooLong' }));
    expect(() => packParts(parted(binary, 48), { ab: '1' })).toThrow(
      expect.objectContaining({ code: 'badField' }),
    );
  });
});
