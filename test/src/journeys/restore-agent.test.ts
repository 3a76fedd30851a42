import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AgentClient } from '../clients/agent-client.js';
import { until } from '../clients/http.js';
import { PROGRAMS, partHome } from '../stack/layout.js';
import { type PartProcess, startPart } from '../stack/part-process.js';
import { stands, TourContext } from '../tour/tour-context.js';
import { allowRestored, operate } from './operator.js';
import { SETTLE_MS, startTestStack, type TestStack } from './test-stack.js';

const AMOUNTS = ['5.01', '5.02', '5.03', '5.04', '5.05'] as const;

/** Room for all of them on one card. */
const OFFLINE = JSON.stringify({
  limits: { EUR: { perSale: '50.00', sum: '200.00', perCard: '100.00' } },
  maxPerCard: AMOUNTS.length,
});

const run = promisify(execFile);

/** Runs a command of the agent that ends by itself, with a separate home. */
async function command(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  try {
    const { stdout } = await run(process.execPath, [PROGRAMS.agent, ...args], {
      env: { ...process.env, ...env },
    });
    return { exitCode: 0, stdout, stderr: '' };
  } catch (error) {
    const {
      code = 1,
      stdout = '',
      stderr = '',
    } = error as { code?: number; stdout?: string; stderr?: string };
    return { exitCode: code, stdout, stderr };
  }
}

describe('a dead disk does not lose the queue', () => {
  let system: TestStack;
  let tour: TourContext;
  let oldAgent: PartProcess | undefined;
  let places: { copy: string; key: string; lost: string; restored: string };

  beforeAll(async () => {
    system = await startTestStack(
      'restore',
      (home) => {
        places = {
          copy: join(home, 'second-disk'),
          key: join(home, 'kept-apart', 'copy.key'),
          lost: join(home, 'lost-disk'),
          restored: join(home, 'new-disk', 'agent'),
        };
        for (const folder of [places.copy, join(home, 'kept-apart')]) mkdirSync(folder, { mode: 0o700 });
        writeFileSync(places.key, `${'5a'.repeat(32)}\n`, { mode: 0o600 });
        return { copy: { path: places.copy, keyFile: places.key, mode: 'required' } };
      },
      OFFLINE,
    );
    tour = new TourContext(system.stack, 'restore');
  }, SETTLE_MS * 2);

  afterAll(async () => {
    await oldAgent?.stop();
    await system?.end();
  }, SETTLE_MS);

  it(
    'brings every queued sale to the acquirer exactly once, from a new home, and fences the old one',
    async () => {
      await tour.agent.untilGateway('up', SETTLE_MS);
      await tour.begin();
      await tour.simulator.network({ state: 'down' });
      await tour.agent.untilGateway('down', SETTLE_MS);
      const references = await sellOffline(tour);
      expect((await tour.agent.queue()).body.depth).toBe(AMOUNTS.length);
      await system.stack.part('agent')?.kill();

      // The disk dies; a picture of it comes back later.
      const home = partHome(system.home, 'agent');
      cpSync(home, places.lost, { recursive: true });
      rmSync(home, { recursive: true });
      mkdirSync(home, { mode: 0o700 });

      const restored = await restore(places);
      expect(restored).toMatchObject({ exitCode: 0 });
      expect(JSON.parse(restored.stdout)).toMatchObject({
        agentId: 'dev-store',
        generation: 2,
        openSales: 0,
      });
      const verified = await command(['verify', '--home', places.restored, '--json', '--no-gateway']);
      expect(JSON.parse(verified.stdout)).toMatchObject({ ok: true });

      await allowRestored(system.home, places.restored);
      await tour.simulator.network({ state: 'up' });
      await system.stack.restart('agent', { AGENT_HOME: places.restored });
      await tour.agent.untilGateway('up', SETTLE_MS);
      await tour.agent.untilQueueEmpty(SETTLE_MS);
      for (const reference of references)
        expect((await tour.agent.get(reference)).body).toMatchObject({ state: 'done', outcome: 'approved' });
      const standing = (await tour.newRows()).filter(stands).map(({ amount }) => amount);
      expect([...standing].sort()).toEqual([...AMOUNTS]);

      await oldIsFenced();
      expect((await tour.agent.status()).body.gateway.state).toBe('up');
      const sale = await tour.sell('visa-credit-online', tour.request('7.00'));
      expect(sale).toMatchObject({ outcome: 'approved', mode: 'online' });
      const after = (await tour.newRows()).filter(stands).map(({ amount }) => amount);
      expect([...after].sort()).toEqual([...AMOUNTS, '7.00']);
    },
    SETTLE_MS * 4,
  );

  it(
    'recognizes an old picture of its disk, reports it at both ends, and comes back whole from the copy',
    async () => {
      const picture = join(system.home, 'picture');
      await system.stack.part('agent')?.stop();
      cpSync(places.restored, picture, { recursive: true });
      await system.stack.restart('agent', { AGENT_HOME: places.restored });
      await tour.agent.untilGateway('up', SETTLE_MS);
      await tour.begin();
      const request = tour.request('8.00');
      expect(await tour.sell('visa-credit-online', request)).toMatchObject({ outcome: 'approved' });
      await until('the gateway to keep a row of the new sale', SETTLE_MS, async () => {
        const { row = 0, gatewayRow = 0 } = await journal();
        return gatewayRow === row ? true : undefined;
      });
      const running = await command(['verify', '--home', places.restored, ...addressOf(tour)]);
      expect(running).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('agrees') });
      await system.stack.part('agent')?.stop();

      rmSync(places.restored, { recursive: true });
      cpSync(picture, places.restored, { recursive: true });
      await system.stack.restart('agent', { AGENT_HOME: places.restored });
      await until('the agent to know that it is behind', SETTLE_MS, async () =>
        (await journal()).standing === 'behind' ? true : undefined,
      );
      // Its copy knows more than it: that alone would hold every sale.
      const refused = await tour.agent.sale(tour.request('9.00'));
      expect(refused.status).toBe(503);
      expect(JSON.stringify(refused.body)).toContain('--replace');
      expect(await alarmAtGateway()).toMatchObject({ generation: 2, journal: { alarm: { kind: 'behind' } } });
      await system.stack.part('agent')?.stop();

      const back = await command([
        'restore',
        '--from',
        places.copy,
        '--key-file',
        places.key,
        '--home',
        places.restored,
        '--replace',
      ]);
      expect(back).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('generation 3') });
      await allowRestored(system.home, places.restored);
      await system.stack.restart('agent', { AGENT_HOME: places.restored });
      await until('the journal to be good again', SETTLE_MS, async () =>
        (await journal()).standing === 'good' ? true : undefined,
      );
      expect(await alarmAtGateway()).not.toHaveProperty('journal.alarm');
      // The sale that the picture had forgotten is known again, and is not sold a second time.
      expect((await tour.agent.sale(request)).body).toMatchObject({ state: 'done', outcome: 'approved' });
      expect((await tour.newRows()).filter(stands).map(({ amount }) => amount)).toEqual(['8.00']);
    },
    SETTLE_MS * 4,
  );

  async function journal(): Promise<{ row?: number; gatewayRow?: number; standing?: string }> {
    return (await tour.agent.status()).body.journal as object;
  }

  async function alarmAtGateway(): Promise<unknown> {
    return (JSON.parse(await operate(system.home, 'list')) as unknown[])[0];
  }

  /** The old disk comes back: its agent may neither forward nor sell, now or after another restart without a network. */
  async function oldIsFenced(): Promise<void> {
    oldAgent = await startOld(system.stack.dev.gateway.bridgeUrl);
    const client = new AgentClient(clientOf(oldAgent));
    await until('the old home to be fenced', SETTLE_MS, async () => {
      const { gateway } = (await client.status()).body as { gateway: { reason?: string } };
      return gateway.reason === 'fenced' ? true : undefined;
    });
    await refusesSales(client);
    expect((await client.queue()).body.depth).toBe(AMOUNTS.length);
    await oldAgent.stop();
    const checked = await command(
      ['verify', '--home', places.lost],
      bridgeOf(system.stack.dev.gateway.bridgeUrl),
    );
    expect(checked).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('REFUSES this journal') });

    oldAgent = await startOld('ws://127.0.0.1:9/bridge');
    await refusesSales(new AgentClient(clientOf(oldAgent)));
    await oldAgent.stop();
    oldAgent = undefined;
  }

  function startOld(bridgeUrl: string): Promise<PartProcess> {
    const config = join(places.lost, 'alone.yaml');
    const tokenFile = join(places.lost, 'till-token');
    writeFileSync(config, JSON.stringify({ home: places.lost, port: 0, tokenFile, terminals: [] }));
    const env = { ...bridgeOf(bridgeUrl), AGENT_PORT: '0', AGENT_OFFLINE: 'on' };
    return startPart({ name: 'agent', args: [PROGRAMS.agent, 'run', '--config', config], env });
  }

  function clientOf({ listening }: PartProcess): { url: string; token: string } {
    return { url: String(listening.url), token: formerToken };
  }

  let formerToken = '';
  async function sellOffline(of: TourContext): Promise<string[]> {
    formerToken = system.stack.dev.agent.token;
    const references: string[] = [];
    for (const amount of AMOUNTS) {
      const request = of.request(amount);
      const sale = await of.sell('maestro-offline-approved', request);
      expect(sale).toMatchObject({ outcome: 'approved', mode: 'offline-card' });
      references.push(request.reference);
    }
    return references;
  }
});

async function refusesSales(client: AgentClient): Promise<void> {
  const refused = await client.sale({ reference: 'never', amount: '1.00', currency: 'EUR' });
  expect(refused.status).toBe(503);
  expect(JSON.stringify(refused.body)).toContain('restored elsewhere');
}

function restore({ copy, key, restored }: { copy: string; key: string; restored: string }) {
  return command(['restore', '--from', copy, '--key-file', key, '--home', restored, '--json']);
}

function bridgeOf(bridgeUrl: string): NodeJS.ProcessEnv {
  return { GATEWAY_BRIDGE_URL: bridgeUrl };
}

function addressOf(tour: TourContext): string[] {
  const { url, token } = tour.stack.dev.agent;
  return ['--url', url, '--token', token];
}
