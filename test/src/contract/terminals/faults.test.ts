import { type Fault, type FaultName, isDeviceFault } from '@tillbridge/hardware-sim/faults/fault.js';
import { seededRandom } from '@tillbridge/hardware-sim/faults/seeded-random.js';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { CASES, type ContractCase } from './cases.js';
import { IssuerHost } from './issuer-host.js';
import { casesOf, faultsOf } from './lines.js';
import { FRAMINGS } from './makers.js';
import { runCase, runCaseUnderFaults, sellAgain } from './run-case.js';
import { openTerminalHarness, type TerminalHarness } from './terminal-harness.js';

// The product of cases and faults with the real drivers, on lines in memory and a virtual clock. In the first case each
// fault strikes at every frame in turn, the one with the cryptogram included; in every other case at places that are drawn
// from a seed among the frames that the case has. TILLBRIDGE_FAULT_SEED draws others.

const host = new IssuerHost();
afterAll(() => host.close());

let harness: TerminalHarness | undefined;
afterEach(async () => {
  await harness?.close();
  harness = undefined;
});

/** Milliseconds that each fault takes: later than every host waits for an answer, or a short moment. */
const DELAYS: Partial<Record<FaultName, number>> = { delay: 15_000, glue: 300, slow: 3, unplug: 1_000 };
/** Faults of the line itself, which strike every frame from their place on. */
const LASTING: ReadonlySet<FaultName> = new Set(['split', 'split-bytes', 'slow']);
const FOR_EVER = 1_000;
/** Faults that the line recovers from: the sale ends as it would have without them. */
const HARMLESS: ReadonlySet<FaultName> = new Set([...LASTING, 'glue', 'repeat', 'unsolicited']);
/** Faults that no sale survives, where they strike it in the middle. */
const FATAL: ReadonlySet<FaultName> = new Set(['delay', 'reset', 'unplug']);
/** Places that are drawn for each case and fault. */
const PLACES = 1;
const SEED = Number(process.env.TILLBRIDGE_FAULT_SEED ?? 1);
/** Share of the faults that must find a frame to strike. */
const MOST = 0.75;
/** More frames than any case has. */
const BEYOND = 1_000;

function fault(name: FaultName, skip: number): Fault {
  const times = LASTING.has(name) ? FOR_EVER : 1;
  return { name, skip, times, delayMs: DELAYS[name] ?? 0, seed: SEED + skip };
}

/** Faults that strike frames of their own kind, confirmations for one; all others strike any frame. */
const CHOOSY: ReadonlySet<FaultName> = new Set(['drop-ack', 'corrupt-crc']);

/** How many frames of each case a fault could strike; faults that strike the same frames share the count. */
type FrameCounts = Map<string, Promise<number>>;

function framesOf(on: TerminalHarness, name: FaultName, each: ContractCase, counts: FrameCounts) {
  if (isDeviceFault(name)) return 1;
  const key = `${CHOOSY.has(name) ? name : 'any'} ${each.name}`;
  const count = counts.get(key) ?? countFrames(on, name, each);
  counts.set(key, count);
  return count;
}

async function countFrames(on: TerminalHarness, name: FaultName, each: ContractCase): Promise<number> {
  on.faults.lay([fault(name, BEYOND)]);
  await runCaseUnderFaults(on, host, each);
  const [waits] = on.faults.pending;
  on.faults.lay([]);
  await on.until('ready');
  return BEYOND - (waits?.skip ?? BEYOND);
}

const [FIRST] = CASES;

/** Where a fault strikes in a case. */
function placesIn(frames: number, each: ContractCase, random: () => number): readonly number[] {
  if (each === FIRST) return Array.from({ length: frames }, (_, place) => place);
  return Array.from({ length: Math.min(PLACES, frames) }, () => random() % frames);
}

describe.each(FRAMINGS)('%s under faults', (_, maker, transport) => {
  const counts: FrameCounts = new Map();
  test.each(faultsOf(maker, transport))(
    '%s: every case ends, truly, and the next sale is whole',
    async (name) => {
      const bytes = seededRandom(SEED);
      const random = (): number => bytes.bytes(2).reduce((all, byte) => all * 256 + byte, 0);
      harness = await openTerminalHarness(maker, { wire: 'memory', transport });
      await sellAgain(harness, host);
      const atRest = harness.listeners.listeners;
      // A report that comes twice leaves a frame that is none.
      const harmless = HARMLESS.has(name) && !(name === 'repeat' && transport === 'hid');
      const came: Came[] = [];
      for (const each of casesOf(maker)) {
        const frames = await framesOf(harness, name, each, counts);
        for (const place of placesIn(frames, each, random)) {
          came.push(await strike(harness, each, fault(name, place), harmless));
        }
      }
      // Some frames are sent once for each device: a case may have fewer frames than it had before.
      const struck = came.filter((each) => each.struck);
      if (!isDeviceFault(name)) expect(struck.length / came.length, 'struck').toBeGreaterThan(MOST);
      // The first case fails of nothing else.
      const fell = struck.filter(({ of, saleFailed }) => of === FIRST && saleFailed);
      if (FATAL.has(name)) expect(fell.length).toBeGreaterThan(0);
      await sellAgain(harness, host);
      expect(harness.listeners.listeners, 'listeners are left behind').toBeLessThanOrEqual(atRest);
    },
  );
});

/** What came of a fault. */
interface Came {
  readonly of: ContractCase;
  readonly struck: boolean;
  readonly saleFailed: boolean;
}

/** Runs a case with a fault laid. */
async function strike(
  on: TerminalHarness,
  each: ContractCase,
  laid: Fault,
  harmless: boolean,
): Promise<Came> {
  try {
    on.faults.lay([laid]);
    const saleFailed = harmless ? await whole(on, each) : await runCaseUnderFaults(on, host, each);
    const [left] = on.faults.pending;
    on.faults.lay([]);
    await on.until('ready');
    return { of: each, struck: left === undefined || left.times < laid.times, saleFailed };
  } catch (error) {
    const { name, skip } = laid;
    throw new Error(`${each.name}, ${name} after ${skip} frames, seed ${SEED}`, { cause: error });
  }
}

/** A sale as if there were no fault. */
async function whole(on: TerminalHarness, each: ContractCase): Promise<false> {
  await runCase(on, host, each);
  return false;
}
