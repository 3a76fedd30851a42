import type { Transport } from '@tillbridge/agent/ports/open-port.js';
import { FAULT_NAMES, type FaultName } from '@tillbridge/hardware-sim/faults/fault.js';
import { afterAll, describe, test } from 'vitest';
import { openBench, type TerminalBench } from './bench.js';
import type { ContractCase } from './cases.js';
import { IssuerHost } from './issuer-host.js';
import { casesOf, LINES } from './lines.js';
import type { Maker } from './maker.js';
import { runCase, runCaseUnderFaults, sellAgain } from './run-case.js';

// Every maker, every transport it speaks over, every case: pseudo-terminals, Unix sockets of HID reports, TCP.

const host = new IssuerHost();
afterAll(() => host.close());

/** Milliseconds that a fault takes: a late answer comes after the host gave up waiting. */
const DELAYS: Partial<Record<FaultName, number>> = { delay: 12_000, glue: 50, slow: 1, unplug: 100 };
/** Frames that pass before a fault strikes; a reset strikes at a command that is answered at once, to be noticed soon. */
const SKIP: Partial<Record<FaultName, number>> = { reset: 0 };
const USUAL_SKIP = 2;

/** Cases that end without waiting for the clock. */
const swift = ({ request }: ContractCase): boolean => request?.cardTimeoutMs === undefined;

async function named(each: ContractCase, run: Promise<void>): Promise<void> {
  try {
    await run;
  } catch (error) {
    throw new Error(`case "${each.name}" failed`, { cause: error });
  }
}

async function onBench(
  maker: Maker,
  transport: Transport,
  run: (bench: TerminalBench) => Promise<void>,
): Promise<void> {
  const bench = await openBench(maker, { wire: 'real', transport });
  try {
    await run(bench);
  } finally {
    await bench.close();
  }
}

// Most of the time is spent waiting for late answers: the lines wait side by side.
const windows = process.platform === 'win32';
if (windows) console.log('skipped: terminals on real lines, because Windows has no pseudo-terminals');
describe.skipIf(windows).concurrent.each(LINES)('%s over %s', (_, transport, maker) => {
  test('every case, one after the other on one line', { timeout: 120_000 }, () =>
    onBench(maker, transport, async (bench) => {
      for (const each of casesOf(maker)) await named(each, runCase(bench, host, each));
      await sellAgain(bench, host);
    }),
  );

  test.each(FAULT_NAMES)('every case with %s on the way', { timeout: 120_000 }, (name) =>
    onBench(maker, transport, async (bench) => {
      const skip = SKIP[name] ?? USUAL_SKIP;
      bench.faults.lay([{ name, skip, times: 1, delayMs: DELAYS[name] ?? 0, seed: 1 }]);
      for (const each of casesOf(maker).filter(swift)) {
        await named(each, runCaseUnderFaults(bench, host, each));
        await bench.until('ready');
      }
      bench.faults.lay([]);
      await sellAgain(bench, host);
    }),
  );
});
