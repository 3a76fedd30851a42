import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Backup, type HomeOfGateway, RestoredDatabase } from './restored-database.test.support.js';

it('never lets live again what was noted as revoked, whatever comes before and after', async () => {
  let counter = 0;
  let world = new RestoredDatabase();
  let node: HomeOfGateway;
  let backup: Backup;
  const STEPS = {
    revoke: async () => {
      if ((await world.token()).revokedAtMs === null) await world.revokeToken();
    },
    sell: () => {
      counter += 1;
      return node.sell(counter);
    },
    second: () => node.second(),
    crash: () => node.start(),
    restart: () => node.restart(),
    backup: async () => {
      backup = await world.backup();
    },
    putBack: async () => {
      await world.putBack(backup);
      await node.start();
    },
    confirm: () => world.confirm().catch(() => undefined),
  };
  const names = fc.constantFrom(...(Object.keys(STEPS) as (keyof typeof STEPS)[]));
  await fc.assert(
    fc.asyncProperty(fc.array(names, { minLength: 4, maxLength: 25 }), async (steps) => {
      world.end();
      world = new RestoredDatabase();
      await world.fill();
      node = await world.start();
      backup = await world.backup();
      let [isRevoked, highest] = [false, 0];
      for (const step of steps) {
        await world.clock.advance(7);
        await STEPS[step]();
        const { highestCounter, unknownCounter } = await world.device();
        const used = Math.max(highestCounter, unknownCounter);
        const { revokedAtMs } = await world.token();
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
  world.end();
}, 60_000);
