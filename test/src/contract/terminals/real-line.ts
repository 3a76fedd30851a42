import { type FaultName, isDeviceFault } from '@tillbridge/hardware-sim/faults/fault.js';
import { seededRandom } from '@tillbridge/hardware-sim/faults/seeded-random.js';
import type { Transport } from '@tillbridge/wire/terminals/transports.js';
import { afterAll, describe, expect, test } from 'vitest';
import type { ContractCase } from './cases.js';
import { shareOf } from './fault-share.js';
import { IssuerHost } from './issuer-host.js';
import { casesOf, faultsOf, LINES } from './lines.js';
import type { Maker } from './maker.js';
import { runCase, runCaseUnderFaults, sellAgain } from './run-case.js';
import { openTerminalHarness, type TerminalHarness } from './terminal-harness.js';

/** Milliseconds that a fault takes: a late answer comes after the host gave up waiting. */
const DELAYS: Partial<Record<FaultName, number>> = { delay: 12_000, glue: 50, slow: 1, unplug: 100 };
/** Faults that cost no waiting strike once in each of their cases; the others, once in one case that is drawn. */
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
/** The product of cases and faults is run in memory. Here each fault meets one in so many cases. */
const SHARE = shareOf(4);
/** Cases after that in which a waiting fault is laid: it may strike, or be noticed, then. */
const AFTER = 2;

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

/**
 * Every case of every maker over a transport: pseudo-terminals, Unix sockets of HID reports, TCP. Then faults on the way. Each transport has
 * a file, so that workers share the time, most of which is spent waiting for late answers: the lines wait side by side.
 */
export function describeRealLines(transport: Transport): void {
  const host = new IssuerHost();
  afterAll(() => host.close());
  const windows = process.platform === 'win32';
  if (windows) console.log('skipped: terminals on real lines, because Windows has no pseudo-terminals');
  const lines = LINES.filter(([, each]) => each === transport);
  describe.skipIf(windows).concurrent.each(lines)('%s over %s', (_name, _transport, maker) => {
    test('every case, one after the other on one line', () =>
      onHarness(maker, transport, async (harness) => {
        for (const each of casesOf(maker)) await named(each, runCase(harness, host, each));
        await sellAgain(harness, host);
      }));

    test.each(faultsOf(maker, transport))('cases with %s on the way', (name) =>
      onHarness(maker, transport, (harness) => runUnder(name, harness, host, maker, transport)),
    );
  });
}

/** Runs the cases that a fault meets on one line, and then a sale without it. */
async function runUnder(
  name: FaultName,
  harness: TerminalHarness,
  host: IssuerHost,
  maker: Maker,
  transport: Transport,
): Promise<void> {
  const line = LINES.findIndex(([, each, of]) => of === maker && each === transport);
  const bytes = seededRandom(SEED + line);
  const draw = (below: number): number => (bytes.bytes(1)[0] ?? 0) % below;
  const swiftCases = casesOf(maker).filter(swift);
  const isQuick = QUICK.has(name) || isDeviceFault(name);
  const first = isQuick
    ? (faultsOf(maker, transport).indexOf(name) + line + SEED) % SHARE
    : draw(Math.floor(swiftCases.length / 2));
  const cases = isQuick
    ? swiftCases.filter((_, index) => index % SHARE === first)
    : swiftCases.slice(first, first + 1 + AFTER);
  let struck = 0;
  for (const [index, each] of cases.entries()) {
    // A reset is noticed soon at a command that is answered at once.
    const skip = name === 'reset' ? 0 : draw(PLACES[QUICK.has(name) ? 'quick' : 'waiting']);
    if (isQuick || index === 0)
      harness.faults.lay([{ name, skip, times: 1, delayMs: DELAYS[name] ?? 0, seed: SEED + skip }]);
    await named(each, runCaseUnderFaults(harness, host, each));
    await harness.until('ready');
    if (harness.faults.pending.length === 0) struck += 1;
  }
  if (!isDeviceFault(name)) expect(struck, 'cases in or after which it had struck').toBeGreaterThan(0);
  harness.faults.lay([]);
  await sellAgain(harness, host);
}
