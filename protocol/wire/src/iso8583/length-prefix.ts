import type { Cursor } from './cursor.js';
import { asciiOf, ebcdicOf } from './ebcdic.js';
import type { LengthEncoding } from './field-spec.js';

const ZERO = 0x30;

/** Bytes of a length of so many digits. */
export function lengthBytes(digits: number, encoding: LengthEncoding): number {
  return encoding === 'bcd' || encoding === 'binary' ? (digits + 1) >>> 1 : digits;
}

/** Writes a length, which fits in so many digits, and moves the cursor behind it. */
export function writeLength(out: Cursor, length: number, digits: number, encoding: LengthEncoding): void {
  const base = encoding === 'binary' ? 256 : encoding === 'bcd' ? 100 : 10;
  const bytes = lengthBytes(digits, encoding);
  let left = length;
  for (let i = bytes - 1; i >= 0; i -= 1) {
    out.bytes[out.at + i] = asByte(left % base, encoding);
    left = Math.floor(left / base);
  }
  out.at += bytes;
}

function asByte(figure: number, encoding: LengthEncoding): number {
  if (encoding === 'binary') return figure;
  if (encoding === 'bcd') return (Math.floor(figure / 10) << 4) | (figure % 10);
  return encoding === 'ascii' ? ZERO + figure : (ebcdicOf(ZERO + figure) ?? 0);
}

/** Reads a length, all of which is there, and moves the cursor behind it; NaN where it is no number. */
export function readLength(from: Cursor, digits: number, encoding: LengthEncoding): number {
  const bytes = lengthBytes(digits, encoding);
  let length = 0;
  for (let i = 0; i < bytes; i += 1) length = append(length, from.bytes[from.at + i] ?? 0, encoding);
  from.at += bytes;
  return length;
}

function append(length: number, byte: number, encoding: LengthEncoding): number {
  if (encoding === 'binary') return length * 256 + byte;
  if (encoding === 'bcd') {
    const [high, low] = [byte >>> 4, byte & 0xf];
    return high > 9 || low > 9 ? Number.NaN : length * 100 + high * 10 + low;
  }
  const digit = (encoding === 'ascii' ? byte : (asciiOf(byte) ?? 0)) - ZERO;
  return digit >= 0 && digit <= 9 ? length * 10 + digit : Number.NaN;
}
