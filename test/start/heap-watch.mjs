// Part of each test file: names the test that ran while the heap of its worker had grown beyond what any test needs.
import { expect } from 'vitest';

/** The largest heap of a whole run is below 700 MB; V8 ends a worker at 4 GB. */
const NOTABLE_BYTES = 1_200 * 2 ** 20;
const LOOK_EVERY_MS = 5_000;
const WATCH = Symbol.for('tillbridge.heap-watch');

if (!globalThis[WATCH]) {
  // A worker runs many files: one watch lasts as long as it does.
  globalThis[WATCH] = setInterval(look, LOOK_EVERY_MS);
  globalThis[WATCH].unref();
}

function look() {
  const { heapUsed } = process.memoryUsage();
  if (heapUsed < NOTABLE_BYTES) return;
  const { testPath, currentTestName } = expect.getState();
  const mebibytes = Math.round(heapUsed / 2 ** 20);
  process.stderr.write(`the heap of a worker has ${mebibytes} MiB during ${testPath}: ${currentTestName}\n`);
}
