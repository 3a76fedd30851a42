import type { FieldSpec } from './field-spec.js';
import { VALUE_CODECS } from './field-values.js';
import { Iso8583Error } from './iso8583-error.js';

/**
 * One field as bytes, with its length in front when it is variable.
 * @throws Iso8583Error badField
 */
export function encodeField(field: number, spec: FieldSpec, value: string): Buffer {
  const codec = VALUE_CODECS[spec.encoding];
  if (!codec.alphabet.test(value))
    throw new Iso8583Error('badField', field, `not of the alphabet ${spec.encoding}`);
  const units = codec.count(value);
  if (units > spec.maxLength) {
    throw new Iso8583Error('badField', field, `length ${units}, at most ${spec.maxLength}`);
  }
  if (spec.lengthDigits > 0 && units >= 10 ** spec.lengthDigits)
    throw new Iso8583Error('badField', field, `length ${units} does not fit in ${spec.lengthDigits} digits`);
  if (spec.lengthDigits > 0) return Buffer.concat([encodeLength(spec, units), codec.write(value, spec.pad)]);
  return codec.write(filled(field, spec, value, units), spec.pad);
}

/** A fixed field's value at full length. */
function filled(field: number, spec: FieldSpec, value: string, units: number): string {
  const missing = spec.maxLength - units;
  if (missing === 0) return value;
  const unit = spec.encoding === 'binary' || spec.encoding === 'asciiHex' ? '00' : '0';
  if (spec.pad === 'leftZero') {
    // The sign stays in front of the zeros.
    const head = spec.encoding === 'signBcd' ? value.slice(0, 1) : '';
    return head + unit.repeat(missing) + value.slice(head.length);
  }
  if (spec.pad === 'rightZero') return value + unit.repeat(missing);
  if (spec.pad === 'rightSpace' && spec.encoding === 'ascii') return value.padEnd(spec.maxLength, ' ');
  throw new Iso8583Error('badField', field, `length ${units}, fixed at ${spec.maxLength} without padding`);
}

function encodeLength(spec: FieldSpec, units: number): Buffer {
  const digits = String(units).padStart(spec.lengthDigits, '0');
  if (spec.lengthEncoding !== 'bcd') return Buffer.from(digits, 'latin1');
  return Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex');
}

/** A value and where the next field begins. */
export interface DecodedField {
  readonly value: string;
  readonly end: number;
}

/**
 * Reads the field that begins at `at`. Padding of a fixed field belongs to its value.
 * @throws Iso8583Error badField, truncated
 */
export function decodeField(field: number, spec: FieldSpec, bytes: Uint8Array, at: number): DecodedField {
  const { units, from } = decodeLength(field, spec, bytes, at);
  const codec = VALUE_CODECS[spec.encoding];
  if (spec.encoding === 'signBcd' && units === 0) throw new Iso8583Error('badField', field, 'no sign');
  const end = from + codec.bytes(units);
  if (end > bytes.length) throw new Iso8583Error('truncated', field);
  const value = codec.read(bytes.subarray(from, end), units, spec.pad);
  if (value === undefined) throw new Iso8583Error('badField', field, `not of the alphabet ${spec.encoding}`);
  return { value, end };
}

function decodeLength(
  field: number,
  spec: FieldSpec,
  bytes: Uint8Array,
  at: number,
): { units: number; from: number } {
  if (spec.lengthDigits === 0) return { units: spec.maxLength, from: at };
  const isBcd = spec.lengthEncoding === 'bcd';
  const from = at + (isBcd ? Math.ceil(spec.lengthDigits / 2) : spec.lengthDigits);
  if (from > bytes.length) throw new Iso8583Error('truncated', field);
  const text = Buffer.from(bytes.subarray(at, from)).toString(isBcd ? 'hex' : 'latin1');
  const units = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(units <= spec.maxLength)) {
    throw new Iso8583Error('badField', field, `its length is no number up to ${spec.maxLength}`);
  }
  return { units, from };
}
