import { LAST_FIELD, readBitmap, writeBitmap } from './bitmap.js';
import { type Cursor, Reader } from './cursor.js';
import { FieldCodec } from './field-codec.js';
import type { MessageSpec } from './field-spec.js';
import { Iso8583Error } from './iso8583-error.js';

/** An ISO 8583 message: type and values by field number. Binary values are uppercase hex. */
export interface Iso8583Message {
  /** Four digits. */
  readonly mti: string;
  readonly fields: Readonly<Record<number, string>>;
}

/** Bytes of a message that this codec takes: the longest that a two-byte frame length can announce. */
export const ISO8583_MAX_BYTES = 65_535;

const MTI_FIELD = 0;
const MTI_DIGITS = 4;

function mtiCodec(encoding: MessageSpec['mtiEncoding']): FieldCodec {
  return new FieldCodec(MTI_FIELD, { encoding, lengthDigits: 0, maxLength: MTI_DIGITS, content: 'n' });
}

const MTI_CODECS = { ascii: mtiCodec('ascii'), ebcdic: mtiCodec('ebcdic'), bcd: mtiCodec('bcd') } as const;

/** Codecs of a specification by field number, made when a field is used first. */
type FieldCodecs = (FieldCodec | undefined)[];
const CODECS = new WeakMap<MessageSpec, FieldCodecs>();

function codecsOf(spec: MessageSpec): FieldCodecs {
  const known = CODECS.get(spec);
  if (known !== undefined) return known;
  const codecs: FieldCodecs = new Array(LAST_FIELD + 1).fill(undefined);
  CODECS.set(spec, codecs);
  return codecs;
}

function codecOf(spec: MessageSpec, codecs: FieldCodecs, field: number): FieldCodec {
  const known = codecs[field];
  if (known !== undefined) return known;
  const found = spec.fields[field];
  if (found === undefined || !(field >= 2 && field <= LAST_FIELD))
    throw new Iso8583Error('badField', field, 'has no specification in this dialect');
  const codec = new FieldCodec(field, found);
  codecs[field] = codec;
  return codec;
}

/** The message that is being written. A message is written without a pause: one buffer serves all. */
const OUT = Buffer.alloc(ISO8583_MAX_BYTES);

/**
 * A message as bytes.
 * @throws Iso8583Error badField, tooLong
 */
export function packMessage(spec: MessageSpec, message: Iso8583Message): Buffer {
  if (message.mti.length !== MTI_DIGITS) throw new Iso8583Error('badField', MTI_FIELD, 'is not four digits');
  const out: Cursor = { bytes: OUT, at: 0 };
  let written = OUT.length;
  try {
    MTI_CODECS[spec.mtiEncoding].write(out, message.mti);
    const codecs = codecsOf(spec);
    // Keys that are whole numbers stand in their order in every object.
    const numbers = Object.keys(message.fields).map(Number);
    for (const field of numbers) codecOf(spec, codecs, field);
    writeBitmap(out, numbers, spec.bitmapEncoding);
    for (const field of numbers) codecOf(spec, codecs, field).write(out, message.fields[field] ?? '');
    written = out.at;
    return Buffer.from(OUT.subarray(0, written));
  } finally {
    // It held card data. A field that was refused may have left bytes behind the cursor.
    OUT.fill(0, 0, written);
  }
}

/**
 * Reads a whole message.
 * @throws Iso8583Error badField, truncated, trailing, tooLong
 */
export function unpackMessage(spec: MessageSpec, bytes: Uint8Array): Iso8583Message {
  const { message, problem } = unpackPartly(spec, bytes);
  if (problem !== undefined) throw problem;
  return message;
}

/** What could be read of bytes, and why no more. */
interface PartlyUnpacked {
  readonly message: Iso8583Message;
  readonly problem?: Iso8583Error;
}

/** As {@link unpackMessage}, for people who look at bytes that are no message: everything before the first mistake. */
export function unpackPartly(spec: MessageSpec, bytes: Uint8Array): PartlyUnpacked {
  const values: string[] = [];
  let numbers: readonly number[] = [];
  let mti = '';
  let problem: Iso8583Error | undefined;
  try {
    const from = begun(bytes);
    mti = MTI_CODECS[spec.mtiEncoding].read(from);
    numbers = readBitmap(from, spec.bitmapEncoding);
    const codecs = codecsOf(spec);
    for (const field of numbers) values.push(codecOf(spec, codecs, field).read(from));
    if (from.left > 0) throw new Iso8583Error('trailing', undefined, `${from.left} bytes left over`);
  } catch (error) {
    if (!(error instanceof Iso8583Error)) throw error;
    problem = error;
  }
  const message = { mti, fields: byNumber(numbers, values) };
  return problem === undefined ? { message } : { message, problem };
}

/** The values by their numbers. From the last one down, because an object grows to its highest number at once. */
function byNumber(numbers: readonly number[], values: readonly string[]): Record<number, string> {
  const fields: Record<number, string> = {};
  for (let i = values.length - 1; i >= 0; i -= 1) fields[numbers[i] as number] = values[i] as string;
  return fields;
}

function begun(bytes: Uint8Array): Reader {
  if (bytes.length > ISO8583_MAX_BYTES)
    throw new Iso8583Error('tooLong', undefined, `${bytes.length} bytes, at most ${ISO8583_MAX_BYTES}`);
  return new Reader(bytes);
}

/** Message type and field numbers, which need no field specification. */
interface MessageHead {
  readonly mti: string;
  readonly fields: readonly number[];
  /** Where the first field begins. */
  readonly end: number;
}

/**
 * Reads message type and bitmap alone.
 * @throws Iso8583Error badField, truncated, tooLong
 */
export function readHead(
  spec: Pick<MessageSpec, 'mtiEncoding' | 'bitmapEncoding'>,
  bytes: Uint8Array,
): MessageHead {
  const from = begun(bytes);
  const mti = MTI_CODECS[spec.mtiEncoding].read(from);
  const fields = readBitmap(from, spec.bitmapEncoding);
  return { mti, fields, end: from.at };
}
