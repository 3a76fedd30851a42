import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { IDENTITY_KEY_FILE } from '@tillbridge/agent/uplink/identity.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AgentClient } from '../clients/agent-client.js';
import { until } from '../clients/http.js';
import { AGENT_ID, PROGRAMS, partHome } from '../stack/layout.js';
import { type PartProcess, startPart } from '../stack/part-process.js';
import { stands, TourContext } from '../tour/tour-context.js';
import { operate } from './operator.js';
import { SETTLE_MS, startTestStack, type TestStack } from './test-stack.js';

const run = promisify(execFile);

let system: TestStack;
let tour: TourContext;
let places: { copy: string; key: string; stolen: string };
let thief: PartProcess | undefined;

beforeAll(async () => {
  system = await startTestStack('replace', (home) => {
    places = {
      copy: join(home, 'second-disk'),
      key: join(home, 'kept-apart', 'copy.key'),
      stolen: join(home, 'stolen'),
    };
    for (const folder of [places.copy, join(home, 'kept-apart')]) mkdirSync(folder, { mode: 0o700 });
    writeFileSync(places.key, `${'5a'.repeat(32)}\n`, { mode: 0o600 });
    return { copy: { path: places.copy, keyFile: places.key, mode: 'required' } };
  });
  tour = new TourContext(system.stack, 'replace');
}, SETTLE_MS * 2);
afterAll(async () => {
  await thief?.stop();
  await system?.end();
}, SETTLE_MS);

const agentOf = (home: string) => ({
  GATEWAY_BRIDGE_URL: system.stack.dev.gateway.bridgeUrl,
  AGENT_HOME: home,
});

it(
  'a stolen machine is replaced by one command: its queue is drained under another key, and its own key is refused',
  async () => {
    await tour.agent.untilGateway('up', SETTLE_MS);
    await tour.begin();
    await tour.simulator.network({ state: 'down' });
    await tour.agent.untilGateway('down', SETTLE_MS);
    const request = tour.request('5.00');
    const sold = await tour.sell('maestro-offline-approved', request);
    expect(sold).toMatchObject({ outcome: 'approved', mode: 'offline-card' });
    await system.stack.part('agent')?.kill();
    const home = partHome(system.home, 'agent');
    renameSync(home, places.stolen);
    mkdirSync(home, { mode: 0o700 });

    const issued = JSON.parse(await operate(system.home, 'replace', AGENT_ID)) as {
      code: string;
      next: string;
    };
    expect(issued.next).toContain('tillbridge-agent restore');
    const restore = ['restore', '--from', places.copy, '--key-file', places.key, '--code', issued.code];
    const env = { ...process.env, ...agentOf(home) };
    const { stdout } = await run(process.execPath, [PROGRAMS.agent, ...restore, '--json'], { env });
    expect(JSON.parse(stdout)).toMatchObject({ agentId: AGENT_ID, generation: 2 });
    const keyOf = (of: string) => readFileSync(join(of, IDENTITY_KEY_FILE), 'utf8');
    expect(keyOf(home)).not.toBe(keyOf(places.stolen));

    await tour.simulator.network({ state: 'up' });
    await system.stack.restart('agent');
    await tour.agent.untilGateway('up', SETTLE_MS);
    await tour.agent.untilQueueEmpty(SETTLE_MS);
    expect((await tour.newRows()).filter(stands).map(({ amount }) => amount)).toEqual(['5.00']);

    const config = join(places.stolen, 'alone.yaml');
    const tokenFile = join(places.stolen, 'till-token');
    writeFileSync(config, JSON.stringify({ home: places.stolen, port: 0, tokenFile, terminals: [] }));
    const stolenEnv = { ...agentOf(places.stolen), AGENT_PORT: '0', AGENT_OFFLINE: 'on' };
    thief = await startPart({
      name: 'agent',
      args: [PROGRAMS.agent, 'run', '--config', config],
      env: stolenEnv,
    });
    const token = readFileSync(tokenFile, 'utf8').trim();
    const client = new AgentClient({ url: String(thief.listening.url), token });
    await until('the stolen machine to be refused', SETTLE_MS, async () => {
      const { gateway } = (await client.status()).body as { gateway: { reason?: string } };
      return gateway.reason === 'unauthenticated' ? true : undefined;
    });
    // The alert is committed concurrently with the refusal, not before it.
    const log = join(partHome(system.home, 'gateway'), 'gateway.log');
    await until('the alert', SETTLE_MS, async () =>
      readFileSync(log, 'utf8').includes('agent-key-revoked') ? true : undefined,
    );
    expect((await tour.agent.status()).body.gateway.state).toBe('up');
    expect((await tour.newRows()).filter(stands)).toHaveLength(1);
  },
  SETTLE_MS * 4,
);

it(
  'a revoked agent loses its running session within seconds',
  async () => {
    await operate(system.home, 'revoke', AGENT_ID);
    await tour.agent.untilGateway('down', SETTLE_MS);
    const { gateway } = (await tour.agent.status()).body as { gateway: { reason?: string } };
    expect(gateway.reason).toBe('unauthenticated');
  },
  SETTLE_MS,
);
