import { toHex } from '@tillbridge/wire/bytes.js';
import type { Random } from '@tillbridge/wire/seams/random.js';

/** A fresh id of the API: 32 lowercase hex. */
export function newId(random: Random): string {
  return toHex(random.bytes(16)).toLowerCase();
}

/** A fresh id that sorts by time: 32 lowercase hex, of which 80 bits are random. Rows that come together then lie together on the disk. */
export function newTimeOrderedId(random: Random, nowMs: number): string {
  return nowMs.toString(16).padStart(12, '0') + toHex(random.bytes(10)).toLowerCase();
}
