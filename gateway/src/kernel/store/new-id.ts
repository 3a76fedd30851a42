import { toLowerHex } from '@tillbridge/wire/bytes.js';
import type { Random } from '@tillbridge/wire/seams/random.js';

/** A fresh id of the API: 32 lowercase hex. */
export function newId(random: Random): string {
  return toLowerHex(random.bytes(16));
}

/** The last time that an id was made at, and its digits: most ids are made in the same millisecond as the one before. */
let lastMs = 0;
let lastDigits = timeDigits(lastMs);

/** A fresh id that sorts by time: 32 lowercase hex, of which 80 bits are random. Rows that come together then lie together on the disk. */
export function newTimeOrderedId(random: Random, nowMs: number): string {
  if (nowMs !== lastMs) {
    lastMs = nowMs;
    lastDigits = timeDigits(nowMs);
  }
  return lastDigits + toLowerHex(random.bytes(10));
}

function timeDigits(nowMs: number): string {
  return nowMs.toString(16).padStart(12, '0');
}
