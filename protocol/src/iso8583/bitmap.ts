import { Iso8583Error } from './iso8583-error.js';

/** Highest field number: two bitmaps of 64 bits. */
export const LAST_FIELD = 128;
/** Number under which errors name the bitmap. */
const BITMAP_FIELD = 1;
const BITMAP_BYTES = 8;

/** The bitmap of these fields: 8 bytes, or 16 with bit 1 set when a field above 64 is among them. */
export function encodeBitmap(fields: readonly number[], encoding: 'binary' | 'asciiHex'): Buffer {
  const isLong = fields.some((field) => field > BITMAP_BYTES * 8);
  const bits = Buffer.alloc(isLong ? 2 * BITMAP_BYTES : BITMAP_BYTES);
  for (const field of isLong ? [1, ...fields] : fields) {
    const at = (field - 1) >>> 3;
    bits[at] = (bits[at] ?? 0) | (0x80 >>> ((field - 1) & 7));
  }
  return encoding === 'binary' ? bits : Buffer.from(bits.toString('hex').toUpperCase(), 'latin1');
}

/** Fields of a bitmap in order, without bit 1, and where it ends. */
export interface ReadBitmap {
  readonly fields: readonly number[];
  readonly end: number;
}

/**
 * Reads the bitmap that begins at `at`.
 * @throws Iso8583Error truncated, badField (not hex)
 */
export function decodeBitmap(bytes: Uint8Array, at: number, encoding: 'binary' | 'asciiHex'): ReadBitmap {
  const first = bitmapPart(bytes, at, encoding);
  const isLong = ((first[0] ?? 0) & 0x80) !== 0;
  const width = encoding === 'binary' ? BITMAP_BYTES : 2 * BITMAP_BYTES;
  const bits = isLong ? Buffer.concat([first, bitmapPart(bytes, at + width, encoding)]) : first;
  const fields: number[] = [];
  for (let field = 2; field <= bits.length * 8; field += 1) {
    if (((bits[(field - 1) >>> 3] ?? 0) & (0x80 >>> ((field - 1) & 7))) !== 0) fields.push(field);
  }
  return { fields, end: at + (isLong ? 2 * width : width) };
}

function bitmapPart(bytes: Uint8Array, at: number, encoding: 'binary' | 'asciiHex'): Buffer {
  const width = encoding === 'binary' ? BITMAP_BYTES : 2 * BITMAP_BYTES;
  if (at + width > bytes.length) throw new Iso8583Error('truncated', BITMAP_FIELD);
  const part = Buffer.from(bytes.subarray(at, at + width));
  if (encoding === 'binary') return part;
  const text = part.toString('latin1');
  if (!/^[0-9A-Fa-f]+$/.test(text)) throw new Iso8583Error('badField', BITMAP_FIELD, 'not hex');
  return Buffer.from(text, 'hex');
}
