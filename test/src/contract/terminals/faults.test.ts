import { FAULT_NAMES, type Fault, type FaultName } from '@tillbridge/hardware-sim/faults/fault.js';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { openBench, type TerminalBench } from './bench.js';
import type { ContractCase } from './cases.js';
import { IssuerHost } from './issuer-host.js';
import { casesOf } from './lines.js';
import { FRAMINGS } from './makers.js';
import { runCaseUnderFaults, sellAgain } from './run-case.js';

// The product of cases and faults with the real drivers, on lines in memory and a virtual clock. Each fault strikes early
// in one round of the cases, and later in the next.

const host = new IssuerHost();
afterAll(() => host.close());

let bench: TerminalBench | undefined;
afterEach(async () => {
  await bench?.close();
  bench = undefined;
});

/** Milliseconds that each fault takes: later than every host waits for an answer, or a short moment. */
const DELAYS: Partial<Record<FaultName, number>> = { delay: 15_000, glue: 300, slow: 3, unplug: 1_000 };
/** Frames that pass untouched before a fault strikes. */
const ROUNDS = [0, 1, 3, 6] as const;

function fault(name: FaultName, skip: number): Fault {
  return { name, skip, times: 1, delayMs: DELAYS[name] ?? 0, seed: skip + 1 };
}

describe.each(FRAMINGS)('%s under faults', (_, maker, transport) => {
  const cases = casesOf(maker);

  test.each(FAULT_NAMES)(
    '%s: every case ends, truly, and the next sale is whole',
    { timeout: 120_000 },
    async (name) => {
      for (const skip of ROUNDS) {
        bench = await openBench(maker, { wire: 'memory', transport });
        await sellAgain(bench, host);
        const atRest = bench.listeners.listeners;
        for (const each of cases) {
          bench.faults.lay([fault(name, skip)]);
          await underFault(bench, each, `${each.name}, ${name} after ${skip} frames`);
          bench.faults.lay([]);
          await bench.until('ready');
        }
        await sellAgain(bench, host);
        expect(bench.listeners.listeners, 'listeners are left behind').toBeLessThanOrEqual(atRest);
        await bench.close();
        bench = undefined;
      }
    },
  );
});

async function underFault(on: TerminalBench, each: ContractCase, where: string): Promise<void> {
  try {
    await runCaseUnderFaults(on, host, each);
  } catch (error) {
    throw new Error(where, { cause: error });
  }
}
