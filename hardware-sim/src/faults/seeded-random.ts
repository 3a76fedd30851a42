import type { Random } from '@tillbridge/wire/seams/random.js';

/** Random bytes out of a seed (mulberry32): the same seed gives the same bytes. Not for secrets. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) & 0xff;
  };
  return { bytes: (length) => Uint8Array.from({ length }, next) };
}
