import { type Fault, type FaultName, isDeviceFault } from '@tillbridge/hardware-sim/faults/fault.js';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { shareOf } from './fault-share.js';
import { IssuerHost } from './issuer-host.js';
import { faultsOf } from './lines.js';
import { FRAMINGS } from './makers.js';
import { runStep, stepsOf } from './run-step.js';
import { Shop } from './shop.js';

// Cancels and pulled cables at every step, with a fault that strikes what the terminal sends next: the sale ends in nothing
// but the truth, and the terminal sells again.

const host = new IssuerHost();
afterAll(() => host.close());

let shop: Shop | undefined;
afterEach(async () => {
  await shop?.close();
  shop = undefined;
});

/** Milliseconds that each fault takes: later than every host waits for an answer, or a short moment. */
const DELAYS: Partial<Record<FaultName, number>> = { delay: 15_000, glue: 300, slow: 3, unplug: 1_000 };

/** A fault meets one in so many steps of a maker; the faults that follow it in the list meet the others. */
const SHARE = shareOf(3);

describe.each(FRAMINGS)('%s under faults', (_, maker, transport) => {
  // To the driver a till's cancel is the same as a stop.
  const steps = stepsOf(maker).filter(([, deed]) => deed !== 'the driver is stopped');
  const faults = faultsOf(maker, transport);

  test.each(faults)('%s right behind the deed', async (name) => {
    shop = await Shop.open(maker, host, { wire: 'memory', transport });
    const { harness } = shop;
    await shop.sellAgain();
    const atRest = harness.listeners.listeners;
    let struck = 0;
    for (const [index, [step, deed]] of steps.entries()) {
      if (index % SHARE !== faults.indexOf(name) % SHARE) continue;
      const fault: Fault = {
        name,
        skip: Math.floor(index / SHARE) % 3,
        times: 1,
        delayMs: DELAYS[name] ?? 0,
        seed: index + 1,
      };
      try {
        const { answer } = await runStep(shop, step, deed, 'memory', fault);
        shop.expectTrue(answer);
        if (harness.faults.pending.length === 0) struck += 1;
        harness.faults.lay([]);
        if (isDeviceFault(name)) await shop.replug();
        await harness.until('ready');
      } catch (error) {
        throw new Error(`${step.name}: ${deed}, ${name} after ${fault.skip} frames`, { cause: error });
      }
    }
    if (!isDeviceFault(name)) expect(struck, 'faults that struck').toBeGreaterThan(0);
    await shop.sellAgain();
    expect(harness.listeners.listeners, 'listeners are left behind').toBeLessThanOrEqual(atRest);
  });
});
