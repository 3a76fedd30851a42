import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { IssuerHost } from './issuer-host.js';
import { FRAMINGS } from './makers.js';
import { runStep, stepsOf } from './run-step.js';
import { Shop } from './shop.js';

// At every step of a sale a till cancels, the driver is stopped, or the cable is pulled: the sale ends as the sale
// machine documents it, the acquirer has what the till was shown, and the terminal rests and sells again.

const host = new IssuerHost();
afterAll(() => host.close());

/** A cable that is pulled comes back after a second. */
const READY_WITHIN_MS = 6_000;

let shop: Shop | undefined;
afterEach(async () => {
  await shop?.close();
  shop = undefined;
});

describe.each(FRAMINGS)('%s in memory', (_, maker, transport) => {
  test.each(stepsOf(maker).map(([step, deed]) => [step.name, deed, step] as const))(
    '%s: %s',
    async (_name, deed, step) => {
      shop = await Shop.open(maker, host, { wire: 'memory', transport });
      const { harness } = shop;
      await shop.sellAgain();
      const atRest = { listeners: harness.listeners.listeners, timers: harness.clock.timers };
      const { answer, tookMs } = await runStep(shop, step, deed, 'memory');
      expect(answer.outcome, JSON.stringify(answer.timeline)).toBe(step.ends[deed]);
      const reason = answer.timeline.at(-1)?.detail;
      if (answer.outcome !== 'approved' && deed !== 'the cable is pulled')
        expect(reason).toBe('cancelled-by-till');
      shop.expectTrue(answer);
      expect(tookMs, 'until the terminal is ready again').toBeLessThan(READY_WITHIN_MS);
      await shop.sellAgain();
      expect({ listeners: harness.listeners.listeners, timers: harness.clock.timers }).toEqual(atRest);
      shop.expectNoSurprise();
    },
  );
});
