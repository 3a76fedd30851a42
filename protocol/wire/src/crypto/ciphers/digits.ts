import { CryptoError } from './errors.js';

const DIGITS = /^[0-9]*$/;

/**
 * A PAN of 8 to 19 digits, returned as it came. Messages give the length alone.
 * @throws CryptoError badPan
 */
export function requirePan(pan: string): string {
  if (!DIGITS.test(pan)) throw new CryptoError('badPan', 'something else than digits');
  if (pan.length < 8 || pan.length > 19) throw new CryptoError('badPan', `${pan.length} digits`);
  return pan;
}

/**
 * PAN digits for a PAN field, which the standard defines for short numbers too: 1 to 19.
 * @throws CryptoError badPan
 */
export function requirePanDigits(pan: string): string {
  if (!DIGITS.test(pan)) throw new CryptoError('badPan', 'something else than digits');
  if (pan.length < 1 || pan.length > 19) throw new CryptoError('badPan', `${pan.length} digits`);
  return pan;
}

/**
 * Decimal digits of a named argument, optionally of an exact count.
 * @throws CryptoError badArgument
 */
export function requireDigits(name: string, value: string, count?: number): string {
  if (!DIGITS.test(value)) throw new CryptoError('badArgument', `${name} has something else than digits`);
  if (count !== undefined && value.length !== count) {
    throw new CryptoError('badArgument', `${name} has ${value.length} digits, expected ${count}`);
  }
  return value;
}

/** The `count` rightmost PAN digits before the check digit, zeros in front of a short PAN. */
export function panWithoutCheckDigit(pan: string, count: number): string {
  return pan.slice(0, -1).slice(-count).padStart(count, '0');
}

/**
 * The Visa way to digits: the decimal nibbles in order, then the others minus ten. Used by CVV, PVV and Option B.
 * `count` digits at most.
 */
export function decimalise(bytes: Uint8Array, count: number): string {
  let digits = '';
  let letters = '';
  for (const byte of bytes) {
    for (const nibble of [byte >>> 4, byte & 0x0f]) {
      if (nibble < 10) digits += String(nibble);
      else letters += String(nibble - 10);
    }
  }
  return (digits + letters).slice(0, count);
}
