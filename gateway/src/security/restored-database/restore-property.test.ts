import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Backup, type HomeOfGateway, RestoredDatabase } from './restored-database.test.support.js';

it('never lets live again what was noted as revoked, whatever comes before and after', async () => {
  let counter = 0;
  let restored = new RestoredDatabase();
  let node: HomeOfGateway;
  let backup: Backup;
  const STEPS = {
    revoke: async () => {
      if ((await restored.token()).revokedAtMs === null) await restored.revokeToken();
    },
    sell: () => {
      counter += 1;
      return node.sell(counter);
    },
    second: () => node.second(),
    crash: () => node.start(),
    restart: () => node.restart(),
    backup: async () => {
      backup = await restored.backup();
    },
    putBack: async () => {
      await restored.putBack(backup);
      await node.start();
    },
    confirm: () => restored.confirm().catch(() => undefined),
  };
  const names = fc.constantFrom(...(Object.keys(STEPS) as (keyof typeof STEPS)[]));
  await fc.assert(
    fc.asyncProperty(fc.array(names, { minLength: 4, maxLength: 25 }), async (steps) => {
      restored.end();
      restored = new RestoredDatabase();
      await restored.fill();
      node = await restored.start();
      backup = await restored.backup();
      let [isRevoked, highest] = [false, 0];
      for (const step of steps) {
        await restored.clock.advance(7);
        await STEPS[step]();
        const { highestCounter, unknownCounter } = await restored.device();
        const used = Math.max(highestCounter, unknownCounter);
        const { revokedAtMs } = await restored.token();
        expect(used).toBeGreaterThanOrEqual(highest);
        if (isRevoked) expect(revokedAtMs).not.toBeNull();
        if (step !== 'second' && step !== 'restart') continue;
        // By now it is written down.
        isRevoked = revokedAtMs !== null;
        highest = used;
      }
    }),
    { numRuns: 40 },
  );
  restored.end();
});
