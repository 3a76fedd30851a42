import { CryptoError } from '../ciphers/errors.js';

/** Number of one-bits of a 32-bit value. */
export function countOnes(value: number): number {
  let rest = value >>> 0;
  let count = 0;
  while (rest !== 0) {
    rest = (rest & (rest - 1)) >>> 0;
    count += 1;
  }
  return count;
}

/**
 * The counter, where it may stand with a transaction.
 * @throws CryptoError badCounter when it is zero or has more one-bits than the standard allows
 */
export function requireLegalCounter(counter: number, maxOnes: number): number {
  if (counter === 0) throw new CryptoError('badCounter', 'counter is zero');
  const ones = countOnes(counter);
  if (ones > maxOnes) throw new CryptoError('badCounter', `${ones} one-bits, at most ${maxOnes} are legal`);
  return counter;
}
