import { type FaultName, isDeviceFault } from '@tillbridge/hardware-sim/faults/fault.js';
import { seededRandom } from '@tillbridge/hardware-sim/faults/seeded-random.js';
import type { Transport } from '@tillbridge/wire/terminals/transports.js';
import { afterAll, describe, expect, test } from 'vitest';
import type { ContractCase } from './cases.js';
import { IssuerHost } from './issuer-host.js';
import { casesOf, faultsOf, LINES } from './lines.js';
import type { Maker } from './maker.js';
import { runCase, runCaseUnderFaults, sellAgain } from './run-case.js';
import { openTerminalHarness, type TerminalHarness } from './terminal-harness.js';

// Every maker, every transport it speaks over, every case: pseudo-terminals, Unix sockets of HID reports, TCP.

const host = new IssuerHost();
afterAll(() => host.close());

/** Milliseconds that a fault takes: a late answer comes after the host gave up waiting. */
const DELAYS: Partial<Record<FaultName, number>> = { delay: 12_000, glue: 50, slow: 1, unplug: 100 };
/** Faults that cost no waiting strike once in every case; the others, once in one case that is drawn. */
const QUICK: ReadonlySet<FaultName> = new Set([
  'split',
  'split-bytes',
  'glue',
  'slow',
  'unsolicited',
  'repeat',
]);
/** Frames that pass before a fault strikes are drawn below this; what is lost in the middle of a card's work is waited for in memory. */
const PLACES = { quick: 12, waiting: 3 } as const;
const SEED = Number(process.env.TILLBRIDGE_FAULT_SEED ?? 1);

/** Cases that end without waiting for the clock. */
const swift = ({ request }: ContractCase): boolean => request?.cardTimeoutMs === undefined;

async function named(each: ContractCase, run: Promise<unknown>): Promise<void> {
  try {
    await run;
  } catch (error) {
    throw new Error(`case "${each.name}" failed`, { cause: error });
  }
}

async function onHarness(
  maker: Maker,
  transport: Transport,
  run: (harness: TerminalHarness) => Promise<void>,
): Promise<void> {
  const harness = await openTerminalHarness(maker, { wire: 'real', transport });
  try {
    await run(harness);
  } finally {
    await harness.close();
  }
}

// Most of the time is spent waiting for late answers: the lines wait side by side.
const windows = process.platform === 'win32';
if (windows) console.log('skipped: terminals on real lines, because Windows has no pseudo-terminals');
describe.skipIf(windows).concurrent.each(LINES)('%s over %s', (_, transport, maker) => {
  test('every case, one after the other on one line', { timeout: 120_000 }, () =>
    onHarness(maker, transport, async (harness) => {
      for (const each of casesOf(maker)) await named(each, runCase(harness, host, each));
      await sellAgain(harness, host);
    }),
  );

  test.each(faultsOf(maker, transport))('every case with %s on the way', { timeout: 120_000 }, (name) =>
    onHarness(maker, transport, async (harness) => {
      const bytes = seededRandom(
        SEED + LINES.findIndex(([, each, of]) => of === maker && each === transport),
      );
      const draw = (below: number): number => (bytes.bytes(1)[0] ?? 0) % below;
      const cases = casesOf(maker).filter(swift);
      const only = QUICK.has(name) ? undefined : draw(Math.floor(cases.length / 2));
      let struck = 0;
      for (const [index, each] of cases.entries()) {
        const due = only === undefined || only === index || isDeviceFault(name);
        // A reset is noticed soon at a command that is answered at once.
        const skip = name === 'reset' ? 0 : draw(PLACES[only === undefined ? 'quick' : 'waiting']);
        if (due)
          harness.faults.lay([{ name, skip, times: 1, delayMs: DELAYS[name] ?? 0, seed: SEED + skip }]);
        await named(each, runCaseUnderFaults(harness, host, each));
        await harness.until('ready');
        if (harness.faults.pending.length === 0) struck += 1;
      }
      if (!isDeviceFault(name)) expect(struck, 'cases in or after which it had struck').toBeGreaterThan(0);
      harness.faults.lay([]);
      await sellAgain(harness, host);
    }),
  );
});
