import { copyFileSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { EXTERNAL_ACQUIRER } from '@tillbridge/gateway/security/development-keys.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, until } from '../clients/http.js';
import { differencesAt } from '../clients/metrics.js';
import type { HostTransaction, NetworkState as Network } from '../clients/simulator-client.js';
import { compareStack } from '../external/compare.js';
import { AGENT_ID, acquirerHostHome, partHome } from '../stack/layout.js';
import { namedTestMode } from '../stack/test-mode.js';
import { stands, TourContext } from '../tour/tour-context.js';
import { runGateway } from './operator.js';
import { SETTLE_MS, startTestStack, type TestStack } from './test-stack.js';

const IS_EXTERNAL = namedTestMode() === 'EXTERNAL';
/**
 * How often each sale stands at the acquirer in the end. A host gives no status by reference: what was forgotten cannot be reversed there, and a record
 * that is sent again is a second message.
 */
const STANDING = IS_EXTERNAL
  ? { '1.00': 1, '2.00': 1, '3.00': 1, '4.00': 2, '5.00': 1 }
  : { '1.00': 1, '2.00': 0, '3.00': 1, '4.00': 1, '5.00': 1 };

describe('a gateway database that is put back from a backup', () => {
  let system: TestStack;
  let tour: TourContext;
  let database: string;
  beforeAll(async () => {
    system = await startTestStack('restored-gateway', undefined, undefined, { mayDiffer: true });
    tour = new TourContext(system.stack, 'restored');
    database = join(partHome(system.home, 'gateway'), 'gateway.db');
  }, SETTLE_MS * 2);
  afterAll(() => system?.end(), SETTLE_MS);

  it(
    IS_EXTERNAL
      ? 'flows again, and the host’s totals and file name what it has forgotten'
      : 'flows again, and nothing stands twice at the acquirer',
    async () => {
      await tour.begin();
      await offlineSale('1.00');
      await tour.agent.untilQueueEmpty(SETTLE_MS);
      await withGatewayDown(() => copyFileSync(database, `${database}.backup`));

      // What the backup will not know: a sale online, a record that was acknowledged, one whose acknowledgement was lost.
      const online = tour.request('2.00');
      expect(await tour.sell('visa-credit-online', online)).toMatchObject({ outcome: 'approved' });
      await offlineSale('3.00');
      await tour.agent.untilQueueEmpty(SETTLE_MS);
      await offlineSale('4.00', { state: 'slow', latencyMs: 1_500 });
      await until('the acquirer to have the record', SETTLE_MS, async () => (await standing('4.00'))[0]);
      await tour.simulator.network({ state: 'down' });
      expect((await tour.agent.queue()).body.depth).toBe(1);

      await withGatewayDown(() => {
        for (const tail of ['-wal', '-shm']) rmSync(database + tail, { force: true });
        copyFileSync(`${database}.backup`, database);
      });
      await tour.simulator.network({ state: 'up' });
      await tour.agent.untilGateway('up', SETTLE_MS);
      await confirmRestore();
      if (IS_EXTERNAL) await closeGap();
      await tour.agent.untilQueueEmpty(SETTLE_MS);

      // The acquirer still holds the sale that the gateway has forgotten: its reversal reaches the one that knows references.
      expect((await tour.agent.reverse(online.reference)).status).toBeLessThan(300);
      await until('the reversal of the forgotten sale', SETTLE_MS, async () =>
        (await standing('2.00')).length === STANDING['2.00'] ? true : undefined,
      );
      await offlineSale('5.00');
      await tour.agent.untilQueueEmpty(SETTLE_MS);
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

  /** A record of a card that may have been taken already waits for an operator. */
  async function confirmRestore(): Promise<void> {
    await until('the record to be held', SETTLE_MS, async () =>
      gatewayLog().includes('an operator has to confirm it first (restore confirm)') ? true : undefined,
    );
    expect((await tour.agent.queue()).body.depth).toBe(1);
    await runGateway(system.home, 'restore', 'confirm', '--note', 'the agent was never out of sight');
  }

  /** What the agent sends again is held until an operator has compared the host's record, or confirms without a comparison, as here. */
  async function closeGap(): Promise<void> {
    await until('the record to be held', SETTLE_MS, async () =>
      gatewayLog().includes('an operator has to compare it with the host first') ? true : undefined,
    );
    expect((await tour.agent.queue()).body.depth).toBe(1);
    await runGateway(system.home, 'acquirer', 'close-gap', EXTERNAL_ACQUIRER, '--note', 'not compared');
  }

  /** The record that was acknowledged and forgotten is never sent again: staff have to look at it. */
  async function expectNamedByTheRecord(): Promise<void> {
    const reversals = (await tour.newRows()).filter(({ kind }) => kind === 'reversal');
    expect(reversals.map(({ amount }) => amount).sort()).toEqual(['2.00']);
    expect(await differencesAt(tour.stack.dev.gateway.url, SETTLE_MS)).toBe(1);
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
    const named = [...String(stdout).matchAll(/^settled-unexpected .* (\d+) EUR/gm)].map(
      ([, minor]) => minor,
    );
    expect(named.sort()).toEqual(['200', '300', '400']);
  }

  /** A sale that the card approves while the gateway is out of reach. */
  async function offlineSale(amount: string, after: Network = { state: 'up' }): Promise<void> {
    await tour.simulator.network({ state: 'down' });
    await tour.agent.untilGateway('down', SETTLE_MS);
    const sold = await tour.sell('maestro-offline-approved', tour.request(amount));
    expect(sold).toMatchObject({ outcome: 'approved', mode: 'offline-card' });
    await tour.simulator.network(after);
  }

  async function withGatewayDown(work: () => void): Promise<void> {
    await system.stack.part('gateway')?.stop();
    work();
    await system.stack.restart('gateway');
  }

  async function standing(amount: string): Promise<readonly HostTransaction[]> {
    return (await tour.newRows()).filter((row) => stands(row) && row.amount === amount);
  }
});

describe('what was revoked and used up since a backup', () => {
  let system: TestStack;
  let tour: TourContext;
  beforeAll(async () => {
    system = await startTestStack('revoked-since', undefined, undefined, { mayDiffer: true });
    tour = new TourContext(system.stack, 'revoked');
  }, SETTLE_MS * 2);
  afterAll(() => system?.end(), SETTLE_MS);

  it(
    'is so after the restore, without a person where the record is there, and waits for the operator where it is not whole',
    async () => {
      await tour.begin();
      const [revoked, other] = [await createToken(), await createToken()];
      await sell('1.00');
      await runGateway(system.home, 'backup', backup());

      await runGateway(system.home, 'token', 'revoke', revoked.id);
      expect([await statusOf(revoked), await statusOf(other)]).toEqual([403, 200]);
      await sell('2.00');
      await restore();
      expect([await statusOf(revoked), await statusOf(other)]).toEqual([403, 200]);
      expect(await shown()).toMatchObject({
        ...{ state: 'held', holds: 'records of cards' },
        reapplied: { token: 1, agent: 0, device: 0, counter: 1 },
      });
      expect(await alerts()).toContain('database-restored');
      // The card counts on, and so does its terminal.
      await tour.agent.untilGateway('up', SETTLE_MS);
      await sell('3.00');
      await runGateway(system.home, 'restore', 'confirm', '--note', 'one token was revoked');
      expect(await shown()).toMatchObject({ state: 'confirmed', note: 'one token was revoked' });
      expect(await alerts()).not.toContain('database-restored');

      // A record that began after the backup does not know what was revoked before.
      await withGatewayDown(() => rmSync(record()));
      await runGateway(system.home, 'agents', 'revoke', AGENT_ID);
      await restore();
      expect([await statusOf(revoked), await statusOf(other)]).toEqual([403, 503]);
      expect((await call('GET', `${gatewayUrl()}/readyz`)).status).toBe(503);
      expect(await shown()).toMatchObject({ state: 'held', holds: 'tokens and agents' });
      expect(JSON.parse(await runGateway(system.home, 'agents', 'show', AGENT_ID)).state).toBe('revoked');
      expect(await statusOf(await createToken())).toBe(200);
      await runGateway(system.home, 'restore', 'confirm', '--note', 'nothing else was revoked');
      await until('the token to be taken again', SETTLE_MS, async () =>
        (await statusOf(other)) === 200 ? true : undefined,
      );
      expect(await statusOf(revoked)).toBe(403);

      // Without any record nothing is noticed, as the page states.
      await restore(() => rmSync(record()));
      expect([await statusOf(revoked), await shown()]).toEqual([200, { state: 'none' }]);
    },
    SETTLE_MS * 4,
  );

  const gatewayHome = (): string => partHome(system.home, 'gateway');
  const backup = (): string => join(system.home, 'backup');
  const record = (): string => join(gatewayHome(), 'restore', 'record');
  const gatewayUrl = (): string => tour.stack.dev.gateway.url;
  const shown = async () => JSON.parse(await runGateway(system.home, 'restore', 'show'));
  const alerts = async (): Promise<string> => runGateway(system.home, 'alerts', 'list');

  async function sell(amount: string): Promise<void> {
    const sold = await tour.sell('visa-credit-online', tour.request(amount));
    expect(sold).toMatchObject({ outcome: 'approved' });
  }

  async function createToken(): Promise<{ readonly id: string; readonly token: string }> {
    const { entityId } = tour.stack.dev.merchant;
    return JSON.parse(
      await runGateway(system.home, 'token', 'create', '--entity', entityId, '--rights', 'read'),
    );
  }

  async function statusOf({ token }: { readonly token: string }): Promise<number> {
    const { entityId } = tour.stack.dev.merchant;
    const headers = { authorization: `Bearer ${token}` };
    const query = new URLSearchParams({ entityId, merchantTransactionId: 'none' });
    const { status } = await call('GET', `${gatewayUrl()}/v3/query?${query}`, { headers });
    // There is no such payment.
    return status === 404 ? 200 : status;
  }

  /** By the steps of the page: stop, remove the log, put the copy in its place, start. */
  async function restore(more: () => void = () => undefined): Promise<void> {
    await withGatewayDown(() => {
      const database = join(gatewayHome(), 'gateway.db');
      for (const tail of ['-wal', '-shm']) rmSync(database + tail, { force: true });
      copyFileSync(join(backup(), 'gateway.db'), database);
      more();
    });
  }

  async function withGatewayDown(work: () => void): Promise<void> {
    await system.stack.part('gateway')?.stop();
    work();
    await system.stack.restart('gateway');
  }
});
