import { settle } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LineProbe } from '../../ports/line-probe.js';
import { DriverHarness } from './driver-harness.test.support.js';

const MODEL = { baudRate: 19_200, parity: 'none' } as const;
/** A public host of ABECS pin pads opens its port so. */
const ODD = { baudRate: 115_200, parity: 'odd' } as const;
/** Longest search for a line (docs/hardware.md). */
const SEARCH_MS = 120_000;

let harness: DriverHarness;
beforeEach(() => {
  harness = new DriverHarness();
  harness.probe = new LineProbe(MODEL);
});
afterEach(() => harness.close());

/** Lets time pass until the driver is ready, or the search is over. @returns how long it took, in milliseconds */
async function search(): Promise<number> {
  const { clock, driver } = harness;
  const begunMs = clock.monotonicMs();
  while (driver.state !== 'ready' && clock.monotonicMs() - begunMs < SEARCH_MS) {
    await clock.advance(Math.max(1, clock.nextTimerInMs() ?? 0));
    await settle();
  }
  return clock.monotonicMs() - begunMs;
}

describe('a line whose settings are not known', () => {
  it('is found at the settings of the model at once', async () => {
    harness.deviceLine = MODEL;
    await harness.open();
    await search();
    expect(harness.driver.state).toBe('ready');
    expect(harness.probe).toMatchObject({ isFound: true, current: MODEL });
  });

  it('is found at other ones within two minutes, and is opened with them after a cut', async () => {
    harness.deviceLine = ODD;
    await harness.open();
    expect(await search()).toBeLessThan(SEARCH_MS);
    expect(harness.probe).toMatchObject({ isFound: true, current: ODD });
    harness.states.length = 0;
    await harness.device.unplug();
    expect(await search()).toBeLessThan(15_000);
    expect(harness.driver.state).toBe('ready');
    expect(harness.probe?.current).toEqual(ODD);
  });

  it('is not found where nothing answers, and every setting was tried', async () => {
    harness.deviceLine = { baudRate: 1_200, parity: 'none' };
    await harness.open();
    await search();
    expect(harness.driver.state).not.toBe('ready');
    expect(harness.probe?.isFound).toBe(false);
  });
});
