import { passesLuhn } from '../../mask/luhn.js';

/** Digits in a row, long enough to hold a PAN. */
const DIGITS = /\d{13,}/g;
/** Lengths of PANs in use, the most frequent first (ISO/IEC 7812-1 allows 8 to 19). */
const PAN_LENGTHS = [16, 15, 19, 18, 17, 14, 13] as const;
/** First digits of the card schemes' issuer numbers. */
const ISSUER = /^[2-6]/;
const OPEN_LEFT = 6;
const OPEN_RIGHT = 4;

/** The first stretch that can be a PAN: lengths and other digits may stand right beside it. */
function findPan(digits: string): { readonly at: number; readonly length: number } | undefined {
  for (const length of PAN_LENGTHS) {
    for (let at = 0; at + length <= digits.length; at += 1) {
      const part = digits.slice(at, at + length);
      if (ISSUER.test(part) && passesLuhn(part)) return { at, length };
    }
  }
  return undefined;
}

/** Zeros in place of the middle of every PAN in a text of digits. */
function hidePans(text: string): string {
  return text.replace(DIGITS, (digits) => {
    const pan = findPan(digits);
    if (!pan) return digits;
    const [from, to] = [pan.at + OPEN_LEFT, pan.at + pan.length - OPEN_RIGHT];
    return digits.slice(0, from) + '0'.repeat(to - from) + digits.slice(to);
  });
}

/** Digits in characters, which are no packed digits although their hex consists of digits. */
const CHARACTERS = /\d{6,}/g;
const PLACEHOLDER = '.';

/** Packed digits: the hex of everything but digits in characters. */
function hidePackedPans(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1');
  const hex = [...bytes.toString('hex')];
  for (const { index, 0: run } of text.matchAll(CHARACTERS))
    hex.fill(PLACEHOLDER, index * 2, (index + run.length) * 2);
  const masked = hidePans(hex.join(''));
  const original = bytes.toString('hex');
  return Buffer.from(
    masked.replace(/\./g, (_, at: number) => original[at] ?? '0'),
    'hex',
  );
}

/**
 * Bytes as they may be kept: PANs in characters and in packed digits lose their middle, lengths stay. What a terminal
 * enciphered stays as it is. A frame that loses digits has a wrong check value.
 */
export function maskBytes(bytes: Uint8Array): Buffer {
  return hidePackedPans(Buffer.from(hidePans(Buffer.from(bytes).toString('latin1')), 'latin1'));
}
