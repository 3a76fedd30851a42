import type { Cursor, Reader } from './cursor.js';
import type { MessageSpec } from './field-spec.js';
import { Iso8583Error } from './iso8583-error.js';

/** Highest field number: two bitmaps of 64 bits. */
export const LAST_FIELD = 128;
/** Number under which errors name the bitmap. */
const BITMAP_FIELD = 1;
/** Bytes of a bitmap of 64 bits. */
export const BITMAP_BYTES = 8;
const BITS = 64;

type BitmapEncoding = MessageSpec['bitmapEncoding'];

/** Sets the bit of a field in a bitmap that begins at `from`; bit 1 is the highest of the first byte. */
export function setBit(bytes: Uint8Array, from: number, bit: number): void {
  const at = from + ((bit - 1) >>> 3);
  bytes[at] = (bytes[at] ?? 0) | (0x80 >>> ((bit - 1) & 7));
}

/** Adds the bits that are set in the bytes from `from` to `to` to a list, in order; the first one has the number behind `before`. */
export function setBits(
  bytes: Uint8Array,
  from: number,
  to: number,
  bits: number[] = [],
  before = 0,
): number[] {
  for (let at = from; at < to; at += 1) {
    let left = bytes[at] ?? 0;
    for (let bit = before + (at - from) * 8 + 1; left !== 0; bit += 1) {
      if ((left & 0x80) !== 0) bits.push(bit);
      left = (left << 1) & 0xff;
    }
  }
  return bits;
}

/**
 * Writes the bitmap of these fields, which stand in order, and moves the cursor behind it: 8 bytes, or 16 with bit 1 set when a field above 64 is
 * among them.
 */
export function writeBitmap(out: Cursor, fields: readonly number[], encoding: BitmapEncoding): void {
  const isLong = (fields.at(-1) ?? 0) > BITS;
  const width = isLong ? 2 * BITMAP_BYTES : BITMAP_BYTES;
  const { bytes, at } = out;
  bytes.fill(0, at, at + width);
  if (isLong) setBit(bytes, at, 1);
  for (const field of fields) setBit(bytes, at, field);
  out.at += width;
  if (encoding === 'binary') return;
  bytes.write(bytes.toString('hex', at, out.at).toUpperCase(), at, 'latin1');
  out.at += width;
}

/**
 * Reads the bitmap and moves the reader behind it: the fields in order, without bit 1.
 * @throws Iso8583Error truncated, badField (not hex)
 */
export function readBitmap(from: Reader, encoding: BitmapEncoding): readonly number[] {
  const bits: number[] = [];
  bitmapPart(from, encoding, bits, 0);
  if (bits[0] !== 1) return bits;
  bits.shift();
  bitmapPart(from, encoding, bits, BITS);
  return bits;
}

function bitmapPart(from: Reader, encoding: BitmapEncoding, bits: number[], before: number): void {
  const { bytes, at } = from;
  const width = encoding === 'binary' ? BITMAP_BYTES : 2 * BITMAP_BYTES;
  if (from.left < width) throw new Iso8583Error('truncated', BITMAP_FIELD);
  from.at += width;
  if (encoding === 'binary') {
    setBits(bytes, at, from.at, bits, before);
    return;
  }
  const text = bytes.toString('latin1', at, from.at);
  if (!/^[0-9A-Fa-f]+$/.test(text)) throw new Iso8583Error('badField', BITMAP_FIELD, 'not hex');
  setBits(Buffer.from(text, 'hex'), 0, BITMAP_BYTES, bits, before);
}
