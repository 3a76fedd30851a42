import { BITMAP_BYTES, setBit, setBits } from '../bitmap.js';
import { cursorOf, Reader } from '../cursor.js';
import { readField, writeField } from '../field-codec.js';
import type { DatasetSpec, FieldSpec } from '../field-spec.js';
import { Iso8583Error } from '../iso8583-error.js';
import { assertEnd, type Reading, type Writing } from './reading.js';

type SubFields = Readonly<Record<number, FieldSpec>>;

/** Reads a bitmap of 64 bits and its sub-fields. */
export function readBitmapped(reading: Reading, fields: SubFields): void {
  readSubFields(reading, fields, bitsOf(reading, BITMAP_BYTES, 0), '');
  assertEnd(reading);
}

/** Writes a bitmap of 64 bits and the sub-fields that have a value. */
export function writeBitmapped(writing: Writing, fields: SubFields): void {
  const bits = bitsToWrite(writing, fields, '');
  writeBits(writing, bits, BITMAP_BYTES, 0);
  writeSubFields(writing, fields, bits, '');
}

/** The bits that are set in a bitmap of so many bytes at the cursor, whose first bit has the number behind `before`. */
function bitsOf({ field, from }: Reading, width: number, before: number): number[] {
  const end = from.at + width;
  if (end > from.bytes.length) throw new Iso8583Error('truncated', field);
  const bits = setBits(from.bytes, from.at, end, [], before);
  from.at = end;
  return bits;
}

function writeBits({ field, out }: Writing, bits: readonly number[], width: number, before: number): void {
  if (out.at + width > out.bytes.length) throw new Iso8583Error('tooLong', field);
  const bitmap = Buffer.alloc(width);
  for (const bit of bits) if (bit > before && bit <= before + width * 8) setBit(bitmap, 0, bit - before);
  bitmap.copy(out.bytes, out.at);
  out.at += width;
}

function bitsToWrite({ values }: Writing, fields: SubFields, prefix: string): number[] {
  return Object.keys(fields)
    .filter((bit) => values[prefix + bit] !== undefined)
    .map(Number);
}

/** Keys are the prefix and the number of the bit. */
function readSubFields(
  { field, from, found }: Reading,
  fields: SubFields,
  bits: readonly number[],
  prefix: string,
): void {
  for (const bit of bits) {
    const spec = fields[bit];
    if (!spec) throw new Iso8583Error('badField', field, `bit ${bit} has no specification in this dialect`);
    found[prefix + bit] = readField(from, field, spec);
  }
}

function writeSubFields(
  { field, out, values }: Writing,
  fields: SubFields,
  bits: readonly number[],
  prefix: string,
): void {
  for (const bit of bits) writeField(out, field, fields[bit] as FieldSpec, values[prefix + bit] ?? '');
}

/** Bytes of the bitmap, of the identifier and of the length of a data set (ISO 8583:2003 §6.2.2). */
const DATASET_BITMAP_BYTES = 2;
const DATASET_BITS = DATASET_BITMAP_BYTES * 8;
const DATASET_ID: FieldSpec = { encoding: 'binary', lengthDigits: 0, maxLength: 1 };
const DATASET_VALUE: FieldSpec = {
  encoding: 'binary',
  lengthDigits: 4,
  lengthEncoding: 'binary',
  maxLength: 9_999,
};

/** Reads data sets, each with its bitmaps and sub-fields. */
export function readDatasets(reading: Reading, sets: Readonly<Record<string, DatasetSpec>>): void {
  while (reading.from.left > 0) {
    const id = readField(reading.from, reading.field, DATASET_ID);
    const value = Buffer.from(readField(reading.from, reading.field, DATASET_VALUE), 'hex');
    const set = sets[id];
    if (!set) throw new Iso8583Error('badField', reading.field, `data set ${id} has no specification`);
    const inside = { ...reading, from: new Reader(value) };
    readSubFields(inside, set.fields, datasetBits(inside), `${id}.`);
    assertEnd(inside);
  }
}

/** The first bit of each bitmap: another one follows. */
function datasetBits(reading: Reading): readonly number[] {
  const bits = bitsOf(reading, DATASET_BITMAP_BYTES, 0);
  if (bits[0] !== 1) return bits;
  return [...bits.slice(1), ...bitsOf(reading, DATASET_BITMAP_BYTES, DATASET_BITS)];
}

/** Writes the data sets that have a value. */
export function writeDatasets(writing: Writing, sets: Readonly<Record<string, DatasetSpec>>): void {
  for (const [id, { fields }] of Object.entries(sets)) {
    const bits = bitsToWrite(writing, fields, `${id}.`);
    if (bits.length === 0) continue;
    const inside = { ...writing, out: cursorOf(Buffer.alloc(DATASET_VALUE.maxLength)) };
    const isLong = (bits.at(-1) ?? 0) > DATASET_BITS;
    writeBits(inside, isLong ? [1, ...bits] : bits, DATASET_BITMAP_BYTES, 0);
    if (isLong) writeBits(inside, bits, DATASET_BITMAP_BYTES, DATASET_BITS);
    writeSubFields(inside, fields, bits, `${id}.`);
    const value = inside.out.bytes.toString('hex', 0, inside.out.at);
    inside.out.bytes.fill(0);
    writeField(writing.out, writing.field, DATASET_ID, id);
    writeField(writing.out, writing.field, DATASET_VALUE, value);
  }
}
