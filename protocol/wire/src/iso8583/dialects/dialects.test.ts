import { describe, expect, it } from 'vitest';
import { toHex } from '../../bytes.js';
import type { FieldSpec } from '../field-spec.js';
import { packMessage, unpackMessage } from '../message.js';
import { dialectOf } from './dialect-changes.js';
import { DIALECT_NAMES } from './dialect-names.js';
import { DIALECTS, type Dialect } from './dialects.js';
import { ELEMENTS_1987 } from './elements-1987.js';

const field = (dialect: Dialect, number: number, value: string): string => {
  const packed = toHex(packMessage(dialect, { mti: `${dialect.version}100`, fields: { [number]: value } }));
  const head = toHex(packMessage(dialect, { mti: `${dialect.version}100`, fields: {} })).length;
  return packed.slice(number > 64 ? head + 16 : head);
};

describe('the 1987 binary dialect', () => {
  it.each([
    ['the odd digit of an account number stands in front', 2, '47617390010100101', '17476173900101001010'],
    ['the odd digit of a fixed number stands behind', 22, '051', '0051'],
    ['track 2 has nibble D for its separator', 35, '4761739001010010=3112', '214761739001010010D31120'],
    ['amounts are twelve digits', 4, '1234', '000000001234'],
    ['signed amounts begin with a letter', 28, 'C100', '4300000100'],
    ['texts are filled with spaces', 41, 'T1', '5431202020202020'],
    ['lengths of three digits take two bytes', 48, '10001A', '00063130303031 41'],
    ['card data are bytes', 55, '9F270180', '00049F270180'],
    ['network management', 70, '301', '0301'],
    ['original data elements are 21 bytes', 90, '1'.repeat(42), '1'.repeat(42)],
  ])('%s', (_, number, value, hex) => {
    expect(field(DIALECTS['1987-binary'], number, value)).toBe(hex.replaceAll(' ', ''));
  });
});

describe('a filled nibble', () => {
  // Track 2 of 37 digits, as logs of hosts have it: some fill with zero, some with F.
  const track2 = '4761739001010010=31122011000012345678';
  it.each(['0', 'F'])('is read as %s', (filler) => {
    const dialect = DIALECTS['1987-binary'];
    const fields = { 35: track2 };
    const packed = Buffer.from(packMessage(dialect, { mti: '0100', fields }));
    expect(packed.at(-1)).toBe(0x80);
    packed[packed.length - 1] = Number.parseInt(`8${filler}`, 16);
    expect(unpackMessage(dialect, packed).fields).toEqual(fields);
  });
});

describe('the common message format', () => {
  it.each([
    ['the odd digit of every number stands in front', 23, '001', '0010'],
    ['processing codes are text', 3, '200000', '323030303030'],
    ['amounts bring currency and minor unit', 4, '9782000000001234', '9782000000001234'],
    ['trace numbers have twelve digits', 11, '7', '000000000007'],
    ['card data have lengths of four digits', 55, '9F270180', '00049F270180'],
    ['result codes are numbers', 39, '1016', '1016'],
    ['terminals have sixteen characters', 41, 'T1', toHex(Buffer.from('T1'.padEnd(16)))],
    ['authentication codes have four bytes', 128, '01020304', '01020304'],
  ])('%s', (_, number, value, hex) => {
    expect(field(DIALECTS.cmf, number, value)).toBe(hex);
  });
});

describe('a dialect in EBCDIC', () => {
  const ebcdic: Dialect = dialectOf({
    name: 'ebcdic',
    title: 'a table of the test',
    version: '0',
    mtiEncoding: 'ebcdic',
    bitmapEncoding: 'binary',
    elements: ELEMENTS_1987,
    representation: {
      text: 'ebcdic',
      numeric: 'ebcdic',
      filler: { fixed: 'left', variable: 'left' },
      length: 'ebcdic',
      variableBinary: 'binary',
    },
  });

  it('is a table too', () => {
    const message = {
      mti: '0100',
      fields: { 2: '4761739001010010', 28: 'D00000100', 43: 'Shop #1'.padEnd(40) },
    };
    const packed = packMessage(ebcdic, message);
    expect(toHex(packed.subarray(0, 4))).toBe('F0F1F0F0');
    expect(toHex(packed.subarray(12, 16))).toBe('F1F6F4F7');
    expect(toHex(packed)).toContain('E2889697407BF1');
    expect(unpackMessage(ebcdic, packed)).toEqual(message);
    expect(() => packMessage(ebcdic, { mti: '0100', fields: { 43: '\u0000' } })).toThrow(/alphabet ebcdic/);
  });

  it('has a length in binary where its table states it', () => {
    const fields: Record<number, FieldSpec> = {
      2: { encoding: 'ascii', lengthDigits: 4, lengthEncoding: 'binary', maxLength: 9_999 },
    };
    const spec = { ...ebcdic, fields };
    const message = { mti: '0100', fields: { 2: 'x'.repeat(300) } };
    const packed = packMessage(spec, message);
    expect(toHex(packed.subarray(12, 14))).toBe('012C');
    expect(unpackMessage(spec, packed)).toEqual(message);
  });
});

it.each(DIALECT_NAMES)('%s writes and reads a value of every field', (name) => {
  const dialect: Dialect = DIALECTS[name];
  const fields = Object.fromEntries(
    Object.entries(dialect.fields).map(([number, spec]) => [number, sample(spec)]),
  );
  const message = { mti: `${dialect.version}200`, fields };
  expect(unpackMessage(dialect, packMessage(dialect, message))).toEqual(message);
  expect(Object.values(dialect.fields).every((spec) => (spec.name ?? '') !== '')).toBe(true);
});

/** The longest value, of fields up to a hundred units; a short one of longer fields. */
function sample({ encoding, content, maxLength, lengthDigits }: FieldSpec): string {
  const units = lengthDigits > 2 ? 3 : maxLength;
  if (encoding === 'binary') return 'A5'.repeat(units);
  if (encoding === 'signBcd' || content === 'x') return `C${'7'.repeat(units - 1)}`;
  return content === 'z'
    ? `${'1'.repeat(units - 2)}=2`
    : content === 'n'
      ? '4'.repeat(units)
      : 'F'.repeat(units);
}
