import { copyFileSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { EXTERNAL_ACQUIRER } from '@tillbridge/gateway/security/development-keys.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../clients/http.js';
import { differencesAt } from '../clients/metrics.js';
import type { HostTransaction, NetworkState as Network } from '../clients/simulator-client.js';
import { compareStack } from '../external/compare.js';
import { acquirerHostHome, partHome } from '../stack/layout.js';
import { namedTestMode } from '../stack/test-mode.js';
import { stands, TourContext } from '../tour/tour-context.js';
import { runGateway } from './operator.js';
import { SETTLE_MS, startTestStack, type TestStack } from './test-stack.js';

const IS_EXTERNAL = namedTestMode() === 'EXTERNAL';
/**
 * How often each sale stands at the acquirer in the end. A host tells nothing by reference: what was forgotten cannot be reversed there, and a record
 * that is sent again is a second message.
 */
const STANDING = IS_EXTERNAL
  ? { '1.00': 1, '2.00': 1, '3.00': 1, '4.00': 2, '5.00': 1 }
  : { '1.00': 1, '2.00': 0, '3.00': 1, '4.00': 1, '5.00': 1 };

describe('a gateway database that is put back from a backup', () => {
  let system: TestStack;
  let world: TourContext;
  let database: string;
  beforeAll(async () => {
    system = await startTestStack('restored-gateway', undefined, undefined, { mayDiffer: true });
    world = new TourContext(system.stack, 'restored');
    database = join(partHome(system.home, 'gateway'), 'gateway.db');
  }, SETTLE_MS * 2);
  afterAll(() => system?.end(), SETTLE_MS);

  it(
    IS_EXTERNAL
      ? 'flows again, and the host’s totals and file name what it has forgotten'
      : 'flows again, and nothing stands twice at the acquirer',
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
      if (IS_EXTERNAL) await closeGap();
      await world.agent.untilQueueEmpty(SETTLE_MS);

      // The acquirer still holds the sale that the gateway has forgotten: its reversal reaches the one that knows references.
      expect((await world.agent.reverse(online.reference)).status).toBeLessThan(300);
      await until('the reversal of the forgotten sale', SETTLE_MS, async () =>
        (await standing('2.00')).length === STANDING['2.00'] ? true : undefined,
      );
      await offlineSale('5.00');
      await world.agent.untilQueueEmpty(SETTLE_MS);
      for (const [amount, count] of Object.entries(STANDING))
        expect(await standing(amount), amount).toHaveLength(count);
      await (IS_EXTERNAL ? expectNamedByTheHost() : expectNamedByTheRecord());
      const log = gatewayLog();
      expect(log).toContain('the stream of a terminal continues after messages that were never received');
      expect(log).not.toContain('hole in a stream');
    },
    SETTLE_MS * 4,
  );

  const gatewayLog = (): string =>
    readFileSync(join(partHome(system.home, 'gateway'), 'gateway.log'), 'utf8');

  /** What the agent sends again is held until an operator has compared the host's record, or says to do without, as here. */
  async function closeGap(): Promise<void> {
    await until('the record to be held', SETTLE_MS, async () =>
      gatewayLog().includes('the database was put back from a backup') ? true : undefined,
    );
    expect((await world.agent.queue()).body.depth).toBe(1);
    await runGateway(system.home, 'acquirer', 'close-gap', EXTERNAL_ACQUIRER, '--note', 'not compared');
  }

  /** The record that was acknowledged and forgotten is never sent again: staff have to look at it. */
  async function expectNamedByTheRecord(): Promise<void> {
    const reversals = (await world.newRows()).filter(({ kind }) => kind === 'reversal');
    expect(reversals.map(({ amount }) => amount).sort()).toEqual(['2.00']);
    expect(await differencesAt(world.stack.dev.gateway.url, SETTLE_MS)).toBe(1);
    const log = gatewayLog();
    expect(log).toContain('a forgotten payment is reversed');
    expect(log).toContain('acquirer-only');
  }

  /** What the host has approved since the backup stands there alone, and its file names each line of it. */
  async function expectNamedByTheHost(): Promise<void> {
    const { ledger, files, payments } = await compareStack(system.stack, system.home);
    expect(payments).toEqual([expect.stringMatching(/^totals-differ /)]);
    const alone = ['0 here, 200 there', '0 here, 300 there', '0 here, 400 there'];
    for (const found of [ledger, files])
      expect(found.map((text) => text.replace(/^.*: /, '')).sort()).toEqual(alone);
    const folder = join(acquirerHostHome(system.home), 'settlement');
    for (const name of readdirSync(folder).filter((name) => name.startsWith('settlement-')))
      await runGateway(
        system.home,
        'settlement',
        'import',
        join(folder, name),
        '--acquirer',
        EXTERNAL_ACQUIRER,
      );
    const { code, stdout } = await runGateway(system.home, 'check').catch((error) => error);
    expect(code).toBe(1);
    const named = [...String(stdout).matchAll(/^settled-unasked .* (\d+) EUR/gm)].map(([, minor]) => minor);
    expect(named.sort()).toEqual(['200', '300', '400']);
  }

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
