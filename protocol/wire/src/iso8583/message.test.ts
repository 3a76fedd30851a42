import { describe, expect, it } from 'vitest';
import { fromHex, toHex } from '../bytes.js';
import { isNegative, text, type Vector, vectorsOf } from '../crypto/vectors.test.support.js';
import type { FieldSpec, MessageSpec } from './field-spec.js';
import { packMessage, readHead, unpackMessage } from './message.js';

function specOf(vector: Vector): MessageSpec {
  const { mtiEncoding, bitmapEncoding, fieldSpec } = vector.inputs;
  return { mtiEncoding, bitmapEncoding, fields: fieldSpec } as MessageSpec;
}

describe('ISO 8583, published vectors', () => {
  it.each(vectorsOf('iso8583').map((v) => [v.name, v] as const))('%s', (_, vector) => {
    const run = () => {
      if (vector.inputs.op === 'readBitmap') {
        const head = readHead(specOf(vector), Buffer.from(text(vector, 'messageAscii'), 'latin1'));
        return { mti: head.mti, presentFields: head.fields };
      }
      const message = { mti: text(vector, 'mti'), fields: vector.inputs.fields as Record<number, string> };
      const packed = packMessage(specOf(vector), message);
      if (vector.inputs.op === 'pack') return { packedAscii: packed.toString('latin1') };
      expect(unpackMessage(specOf(vector), packed)).toEqual(message);
      return { packedHex: toHex(packed) };
    };
    if (isNegative(vector)) expect(run).toThrow(expect.objectContaining({ code: vector.expected.error }));
    else expect(run()).toEqual(vector.expected);
  });
});

const fixed = (maxLength: number, more: Partial<FieldSpec> = {}): FieldSpec => ({
  encoding: 'ascii',
  lengthDigits: 0,
  maxLength,
  ...more,
});

function dialect(fields: Record<number, FieldSpec>): MessageSpec {
  return { mtiEncoding: 'bcd', bitmapEncoding: 'binary', fields };
}

const pack = (spec: FieldSpec, value: string) =>
  toHex(packMessage(dialect({ 2: spec }), { mti: '0100', fields: { 2: value } })).slice(20);
const unpack = (spec: FieldSpec, hex: string) =>
  unpackMessage(dialect({ 2: spec }), fromHex(`01004000000000000000${hex}`)).fields[2];

describe('fields', () => {
  it.each<[string, FieldSpec, string, string]>([
    ['odd BCD, zero in front', fixed(3, { encoding: 'bcd', pad: 'leftZero' }), '858', '0858'],
    ['odd BCD, zero behind', fixed(3, { encoding: 'bcd', pad: 'rightZero' }), '858', '8580'],
    [
      'track 2 as BCD',
      { encoding: 'bcd', lengthDigits: 2, lengthEncoding: 'bcd', maxLength: 37 },
      '12=34',
      '05012D34',
    ],
    [
      'three-digit BCD length',
      { encoding: 'ascii', lengthDigits: 3, lengthEncoding: 'bcd', maxLength: 999 },
      'AB',
      '00024142',
    ],
    ['signed amount', fixed(9, { encoding: 'signBcd', pad: 'leftZero' }), 'D00000100', '4400000100'],
    [
      'binary',
      { encoding: 'binary', lengthDigits: 2, lengthEncoding: 'ascii', maxLength: 8 },
      'CAFE',
      '3032CAFE',
    ],
    [
      'hex text counts bytes',
      { encoding: 'asciiHex', lengthDigits: 2, lengthEncoding: 'ascii', maxLength: 8 },
      'CAFE',
      '303243414645',
    ],
    [
      'empty variable field',
      { encoding: 'ascii', lengthDigits: 2, lengthEncoding: 'ascii', maxLength: 8 },
      '',
      '3030',
    ],
  ])('%s', (_, spec, value, hex) => {
    expect(pack(spec, value)).toBe(hex);
    expect(unpack(spec, hex)).toBe(value);
  });

  it('fills short fixed fields as they say', () => {
    expect(pack(fixed(6, { pad: 'rightSpace' }), 'AB')).toBe('414220202020');
    expect(pack(fixed(6, { encoding: 'bcd', pad: 'leftZero' }), '12')).toBe('000012');
    expect(pack(fixed(9, { encoding: 'signBcd', pad: 'leftZero' }), 'C5')).toBe('4300000005');
    expect(() => pack(fixed(6), 'AB')).toThrow(expect.objectContaining({ code: 'badField', field: 2 }));
  });

  it.each<[string, FieldSpec, string]>([
    ['too long', fixed(2), 'ABC'],
    ['no digits', fixed(4, { encoding: 'bcd', pad: 'leftZero' }), '12A4'],
    ['half a byte', fixed(4, { encoding: 'binary' }), 'ABC'],
    ['beyond ASCII', { encoding: 'ascii', lengthDigits: 2, maxLength: 9 }, 'é'],
    ['a control character', { encoding: 'ascii', lengthDigits: 2, maxLength: 9 }, 'a\n'],
    ['one in EBCDIC', { encoding: 'ebcdic', lengthDigits: 2, maxLength: 9 }, 'a\x1b'],
  ])('refuses to write a value that is %s', (_, spec, value) => {
    expect(() => pack(spec, value)).toThrow(expect.objectContaining({ code: 'badField' }));
  });

  it.each<[string, string, FieldSpec, string]>([
    ['a value cut short', 'truncated', fixed(4), '414243'],
    ['a length cut short', 'truncated', { encoding: 'ascii', lengthDigits: 2, maxLength: 9 }, '30'],
    ['a length that is no number', 'badField', { encoding: 'ascii', lengthDigits: 2, maxLength: 99 }, '3041'],
    [
      'a length above the maximum',
      'badField',
      { encoding: 'ascii', lengthDigits: 2, maxLength: 3 },
      '303441424344',
    ],
    ['a nibble that is no digit', 'badField', fixed(4, { encoding: 'bcd' }), '12A4'],
    ['an odd nibble that is no filler', 'badField', fixed(3, { encoding: 'bcd', pad: 'leftZero' }), '1858'],
    ['a filler among digits', 'badField', fixed(3, { encoding: 'bcd', filler: 'right' }), '1F2F'],
    ['bytes left over', 'trailing', fixed(2), '414243'],
    ['a control character', 'badField', fixed(2), '411B'],
    ['a deletion', 'badField', fixed(2), '417F'],
  ])('refuses to read %s', (_, code, spec, hex) => {
    expect(() => unpack(spec, hex)).toThrow(expect.objectContaining({ code }));
  });
});

describe('messages', () => {
  it('need a specification for every field and a type of four digits', () => {
    const spec = dialect({ 3: fixed(6) });
    for (const fields of [{ 4: '1' }, { 1: '1' }, { 129: '1' }, { 0: '1' }]) {
      expect(() => packMessage(spec, { mti: '0100', fields: fields as never })).toThrow(
        expect.objectContaining({ code: 'badField' }),
      );
    }
    expect(() => packMessage(spec, { mti: '100', fields: {} })).toThrow(/four digits/);
    expect(() => unpackMessage(spec, fromHex('01001000000000000000'))).toThrow(/field 4/);
  });

  it('use the long bitmap from field 65 on', () => {
    const spec = dialect({ 65: fixed(1), 128: fixed(1) });
    const packed = packMessage(spec, { mti: '0100', fields: { 65: 'A', 128: 'B' } });
    expect(toHex(packed)).toBe('01008000000000000000800000000000000141' + '42');
    expect(unpackMessage(spec, packed).fields).toEqual({ 65: 'A', 128: 'B' });
    expect(() => unpackMessage(spec, packed.subarray(0, 12))).toThrow(
      expect.objectContaining({ code: 'truncated' }),
    );
  });

  it('never show a value in an error', () => {
    const spec = dialect({ 2: { encoding: 'bcd', lengthDigits: 2, lengthEncoding: 'bcd', maxLength: 4 } });
    try {
      packMessage(spec, { mti: '0100', fields: { 2: '4761739001010010' } });
      expect.unreachable();
    } catch (error) {
      expect(String(error)).not.toContain('4761');
    }
  });
});
