import fc from 'fast-check';
import { fromHex } from '../bytes.js';

/** One seed for every property: a failure today is the same failure tomorrow. */
export const SEED = { seed: 20_261_120, numRuns: 200 } as const;

/** Bytes of a length. */
export const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });

/** Digits between two lengths. */
export const digits = (min: number, max: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: min, maxLength: max }).map((list) => list.join(''));

/** A PAN. */
export const pan = digits(13, 19);
/** A PIN. */
export const pin = digits(4, 12);

/** A random source that repeats its bytes, for what only has to be given some. */
export const filler = (length: number): Uint8Array =>
  Uint8Array.from({ length }, (_, i) => (i * 37 + 11) % 251);

/** The rule or code of a refusal; anything else that was thrown is thrown on: a crash must not pass for a refusal. */
export function refusalOf(run: () => unknown): string | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    if (error instanceof Error && 'rule' in error) return String(error.rule);
    if (error instanceof Error && 'code' in error && error.name.endsWith('Error')) return String(error.code);
    throw error;
  }
}

/** Bytes of a hex text with one bit flipped. */
export function flipped(hex: string, bit: number): Buffer {
  const out = fromHex(hex);
  const at = (bit >>> 3) % out.length;
  out[at] = (out[at] ?? 0) ^ (1 << (bit & 7));
  return out;
}
