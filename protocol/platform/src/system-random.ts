import { randomBytes, randomFillSync } from 'node:crypto';
import type { Random } from '@tillbridge/wire/seams/random.js';

/** Bytes of one request to the operating system. */
const POOL_BYTES = 4_096;
/** Longest request that the pool serves. */
const MAX_POOLED_BYTES = 64;

/** Unused random bytes; those that are given out are overwritten here. */
const pool = new Uint8Array(POOL_BYTES);
let used = POOL_BYTES;

/** The operating system's random numbers; short ones out of a pool, because each call of the system costs more than the bytes. */
export const systemRandom: Random = {
  bytes(length) {
    if (length > MAX_POOLED_BYTES) return randomBytes(length);
    if (used + length > POOL_BYTES) {
      randomFillSync(pool);
      used = 0;
    }
    const given = pool.slice(used, used + length);
    pool.fill(0, used, used + length);
    used += length;
    return given;
  },
};
