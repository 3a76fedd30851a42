import type { BytePipe } from '@tillbridge/wire/seams/byte-pipe.js';

/** Bits of a byte on a serial line: start, eight, stop. */
export const BITS_PER_BYTE = 10;
/** A timer may be so much late: the rest is waited for turn by turn. */
const TIMER_SLACK_MS = 2;

/** Counts what passes over a line. */
export interface LineMeter {
  bytes: number;
}

/** One end of a line: what is written to it arrives as late as a serial line of this rate would bring it. */
export function pacedPipe(pipe: BytePipe, baud: number, meter: LineMeter): BytePipe {
  let freeAtMs = 0;
  let last: Promise<void> = Promise.resolve();
  return {
    name: pipe.name,
    write(bytes) {
      const copy = Uint8Array.from(bytes);
      meter.bytes += copy.length;
      freeAtMs = Math.max(freeAtMs, performance.now()) + (copy.length * BITS_PER_BYTE * 1_000) / baud;
      const atMs = freeAtMs;
      last = last.then(() => until(atMs)).then(() => pipe.write(copy));
      // A line that was closed meanwhile takes nothing more, and its close reports that.
      last = last.catch(() => undefined);
      return Promise.resolve();
    },
    onData: (listener) => pipe.onData(listener),
    onClose: (listener) => pipe.onClose(listener),
    close: () => pipe.close(),
  };
}

async function until(atMs: number): Promise<void> {
  const restMs = atMs - performance.now();
  if (restMs > TIMER_SLACK_MS) await new Promise((resolve) => setTimeout(resolve, restMs - TIMER_SLACK_MS));
  while (performance.now() < atMs) await new Promise((resolve) => setImmediate(resolve));
}
