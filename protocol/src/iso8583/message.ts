import { decodeBitmap, encodeBitmap, LAST_FIELD } from './bitmap.js';
import { decodeField, encodeField } from './field-codec.js';
import type { FieldSpec, MessageSpec } from './field-spec.js';
import { Iso8583Error } from './iso8583-error.js';

/** An ISO 8583 message: type and values by field number. Binary values are uppercase hex. */
export interface Iso8583Message {
  /** Four digits. */
  readonly mti: string;
  readonly fields: Readonly<Record<number, string>>;
}

/** Bytes of a message that this reader takes: the longest that a two-byte frame length can announce. */
export const ISO8583_MAX_BYTES = 65_535;

const MTI: FieldSpec = { encoding: 'ascii', lengthDigits: 0, maxLength: 4 };
const MTI_FIELD = 0;

function mtiSpec(spec: Pick<MessageSpec, 'mtiEncoding'>): FieldSpec {
  return { ...MTI, encoding: spec.mtiEncoding };
}

function specOf(spec: MessageSpec, field: number): FieldSpec {
  const found = spec.fields[field];
  if (found === undefined || field < 2 || field > LAST_FIELD) {
    throw new Iso8583Error('badField', field, 'has no specification in this dialect');
  }
  return found;
}

/**
 * A message as bytes.
 * @throws Iso8583Error badField
 */
export function packMessage(spec: MessageSpec, message: Iso8583Message): Buffer {
  if (!/^\d{4}$/.test(message.mti)) throw new Iso8583Error('badField', MTI_FIELD, 'is not four digits');
  const numbers = Object.keys(message.fields)
    .map(Number)
    .sort((a, b) => a - b);
  const fields = numbers.map((field) => encodeField(field, specOf(spec, field), message.fields[field] ?? ''));
  return Buffer.concat([
    encodeField(MTI_FIELD, mtiSpec(spec), message.mti),
    encodeBitmap(numbers, spec.bitmapEncoding),
    ...fields,
  ]);
}

/**
 * Reads a whole message.
 * @throws Iso8583Error badField, truncated, trailing
 */
export function unpackMessage(spec: MessageSpec, bytes: Uint8Array): Iso8583Message {
  const { mti, fields: present, end } = readHead(spec, bytes);
  const fields: Record<number, string> = {};
  let at = end;
  for (const field of present) {
    const decoded = decodeField(field, specOf(spec, field), bytes, at);
    fields[field] = decoded.value;
    at = decoded.end;
  }
  if (at < bytes.length)
    throw new Iso8583Error('trailing', undefined, `${bytes.length - at} bytes left over`);
  return { mti, fields };
}

/** Message type and field numbers, which need no field specification. */
export interface MessageHead {
  readonly mti: string;
  readonly fields: readonly number[];
  /** Where the first field begins. */
  readonly end: number;
}

/**
 * Reads message type and bitmap alone.
 * @throws Iso8583Error badField, truncated
 */
export function readHead(
  spec: Pick<MessageSpec, 'mtiEncoding' | 'bitmapEncoding'>,
  bytes: Uint8Array,
): MessageHead {
  if (bytes.length > ISO8583_MAX_BYTES) {
    throw new Iso8583Error('badField', undefined, `${bytes.length} bytes, at most ${ISO8583_MAX_BYTES}`);
  }
  const mti = decodeField(MTI_FIELD, mtiSpec(spec), bytes, 0);
  if (!/^\d{4}$/.test(mti.value)) throw new Iso8583Error('badField', MTI_FIELD, 'is not four digits');
  const bitmap = decodeBitmap(bytes, mti.end, spec.bitmapEncoding);
  return { mti: mti.value, fields: bitmap.fields, end: bitmap.end };
}
