import { copyFileSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../clients/http.js';
import { differencesAt } from '../clients/metrics.js';
import type { HostTransaction, NetworkState as Network } from '../clients/simulator-client.js';
import { partHome } from '../stack/layout.js';
import { stands, TourContext } from '../tour/tour-context.js';
import { SETTLE_MS, startTestStack, type TestStack } from './test-stack.js';

describe('a gateway database that is put back from a backup', () => {
  let system: TestStack;
  let world: TourContext;
  let database: string;
  beforeAll(async () => {
    system = await startTestStack('restored-gateway');
    world = new TourContext(system.stack, 'restored');
    database = join(partHome(system.home, 'gateway'), 'gateway.db');
  }, SETTLE_MS * 2);
  afterAll(() => system?.end(), SETTLE_MS);

  it(
    'flows again, and nothing stands twice at the acquirer',
    async () => {
      await world.begin();
      await offlineSale('1.00');
      await world.agent.untilQueueEmpty(SETTLE_MS);
      await withGatewayDown(() => copyFileSync(database, `${database}.backup`));

      // What the backup will not know: a sale online, a record that was acknowledged, one whose acknowledgement was lost.
      const online = world.request('2.00');
      expect(await world.sell('visa-credit-online', online)).toMatchObject({ outcome: 'approved' });
      await offlineSale('3.00');
      await world.agent.untilQueueEmpty(SETTLE_MS);
      await offlineSale('4.00', { state: 'slow', latencyMs: 1_500 });
      await until('the acquirer to have the record', SETTLE_MS, async () => (await standing('4.00'))[0]);
      await world.simulator.network({ state: 'down' });
      expect((await world.agent.queue()).body.depth).toBe(1);

      await withGatewayDown(() => {
        for (const tail of ['-wal', '-shm']) rmSync(database + tail, { force: true });
        copyFileSync(`${database}.backup`, database);
      });
      await world.simulator.network({ state: 'up' });
      await world.agent.untilGateway('up', SETTLE_MS);
      await world.agent.untilQueueEmpty(SETTLE_MS);

      // The acquirer still holds the sale that the gateway has forgotten: its reversal reaches it.
      expect((await world.agent.reverse(online.reference)).status).toBeLessThan(300);
      await until('the forgotten sale to be reversed', SETTLE_MS, async () =>
        (await standing('2.00')).length === 0 ? true : undefined,
      );
      await offlineSale('5.00');
      await world.agent.untilQueueEmpty(SETTLE_MS);
      for (const [amount, count] of Object.entries({ '1.00': 1, '2.00': 0, '3.00': 1, '4.00': 1, '5.00': 1 }))
        expect(await standing(amount), amount).toHaveLength(count);
      const reversals = (await world.newRows()).filter(({ kind }) => kind === 'reversal');
      expect(reversals.map(({ amount }) => amount).sort()).toEqual(['2.00']);

      // The record that was acknowledged and forgotten is never sent again: staff have to look at it.
      expect(await differencesAt(world.stack.dev.gateway.url, SETTLE_MS)).toBe(1);

      const log = readFileSync(join(partHome(system.home, 'gateway'), 'gateway.log'), 'utf8');
      expect(log).toContain('the stream of a terminal continues after messages that were never received');
      expect(log).toContain('a forgotten payment is reversed');
      expect(log).not.toContain('hole in a stream');
      expect(log).toContain('acquirer-only');
    },
    SETTLE_MS * 4,
  );

  /** A sale that the card approves while the gateway is out of reach. */
  async function offlineSale(amount: string, after: Network = { state: 'up' }): Promise<void> {
    await world.simulator.network({ state: 'down' });
    await world.agent.untilGateway('down', SETTLE_MS);
    const sold = await world.sell('maestro-offline-approved', world.request(amount));
    expect(sold).toMatchObject({ outcome: 'approved', mode: 'offline-card' });
    await world.simulator.network(after);
  }

  async function withGatewayDown(work: () => void): Promise<void> {
    await system.stack.part('gateway')?.stop();
    work();
    await system.stack.restart('gateway');
  }

  async function standing(amount: string): Promise<readonly HostTransaction[]> {
    return (await world.newRows()).filter((row) => stands(row) && row.amount === amount);
  }
});
