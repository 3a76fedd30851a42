/** The wait in milliseconds after `failures` failures in a row, from 1 on: `minMs`, doubled with each, at most `maxMs`. */
export function backoffMs(failures: number, minMs: number, maxMs: number): number {
  return Math.min(maxMs, minMs * 2 ** (failures - 1));
}
