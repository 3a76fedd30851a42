import { ZvtError } from './zvt-error.js';

/** A number as binary-coded decimal of so many bytes. @throws RangeError where it has more digits */
export function toBcd(value: number, bytes: number): Buffer {
  const digits = String(value).padStart(2 * bytes, '0');
  if (!/^\d+$/.test(digits) || digits.length > 2 * bytes)
    throw new RangeError(`${value} has more than ${2 * bytes} digits`);
  return Buffer.from(digits, 'hex');
}

/** The digits of a field. @throws ZvtError `bad-field` */
export function digitsOf(name: string, value: Uint8Array): string {
  const digits = Buffer.from(value).toString('hex');
  if (/^\d*$/.test(digits)) return digits;
  throw new ZvtError('bad-field', `${name} must be digits`);
}

/** The number in a field of at most 7 bytes. @throws ZvtError `bad-field` */
export function fromBcd(name: string, value: Uint8Array): number {
  return Number(digitsOf(name, value));
}
