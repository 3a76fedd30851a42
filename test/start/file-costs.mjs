// Part of each test file where `npm test -- --costs` runs: notes what each file costs, with the processes that it started and that have ended.
import { appendFileSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { expect } from 'vitest';

const COSTS = process.env.TILLBRIDGE_TEST_COSTS;
const LAST = Symbol.for('tillbridge.file-costs');
/** The kernel counts in hundredths of a second. */
const TICK_MS = 10;

if (COSTS) {
  // The setup of one file is the end of the one before it.
  globalThis[LAST]?.();
  const { testPath } = expect.getState();
  const begun = { ...processorMs(), atMs: performance.now() };
  const note = () => {
    const { ownMs, childrenMs } = processorMs();
    const row = {
      file: relative(process.cwd(), testPath),
      ownMs: ownMs - begun.ownMs,
      childrenMs: childrenMs - begun.childrenMs,
      wallMs: Math.round(performance.now() - begun.atMs),
    };
    appendFileSync(COSTS, `${JSON.stringify(row)}\n`);
  };
  if (!globalThis[LAST]) process.on('exit', () => globalThis[LAST]());
  globalThis[LAST] = note;
}

function processorMs() {
  // The name of the program, in parentheses, may have spaces.
  const [, text = ''] = /\) (.*)/.exec(readFileSync('/proc/self/stat', 'latin1')) ?? [];
  const [user = 0, system = 0, childUser = 0, childSystem = 0] = text.split(' ').slice(11, 15).map(Number);
  return { ownMs: (user + system) * TICK_MS, childrenMs: (childUser + childSystem) * TICK_MS };
}
