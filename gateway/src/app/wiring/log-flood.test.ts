import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@tillbridge/platform/system-clock.js';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { BRIDGE_SUBPROTOCOL } from '@tillbridge/wire/bridge/limits.js';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { createToken } from '../../features/access-tokens/service.js';
import { withHomeStore } from '../../kernel/commands/command.js';
import { gatewayFiles } from '../../kernel/data-folder/gateway-files.js';
import { loadKeyFile } from '../../security/keys/key-file.js';
import { seed } from '../commands/seed.js';
import { type GatewayConfig, loadConfig } from '../configuration/config.js';
import { type RunningGateway, startGateway } from './serve.js';

/** So small that 1,200 lines turn all files of it over. */
const FILES = { maxBytes: 64 * 1024, files: 2, maxAgeDays: 90 };
const REFUSED = 1_200;
const AT_ONCE = 50;
const PAN = '4200000000000000';
const SECRET = 'tb_stolen_by_a_stranger';

let home: string;
let config: GatewayConfig;
let gateway: RunningGateway | undefined;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tillbridge-flood-'));
  const { log, ...loaded } = loadConfig(undefined, { GATEWAY_HOME: home, GATEWAY_PORT: '0' });
  const security = { target: join(home, 'security.log'), file: FILES };
  config = { ...loaded, log: { ...log, file: FILES, security } };
});
afterEach(async () => {
  await gateway?.close();
  gateway = undefined;
  rmSync(home, { recursive: true });
});

function logged(name: string): Record<string, unknown>[] {
  return readdirSync(home)
    .filter((file) => file.startsWith(name))
    .flatMap((file) => readFileSync(join(home, file), 'utf8').trim().split('\n'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** A payment that is approved, and a token by the command of an operator: what must stay in the logs. */
async function earlier(): Promise<string> {
  const { merchant } = await seed(config);
  gateway = await startGateway(config);
  const sold = await fetch(`${gateway.url}/v1/payments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${merchant.accessToken}`, connection: 'close' },
    body: new URLSearchParams({
      entityId: merchant.entityId,
      amount: '12.34',
      currency: 'EUR',
      paymentType: 'DB',
      'card.number': PAN,
      'card.expiryMonth': '12',
      'card.expiryYear': '2099',
    }),
  });
  expect(sold.status).toBe(200);
  const tokenKey = loadKeyFile(gatewayFiles(home).tokenKey);
  const deps = {
    tokenKey,
    clock: systemClock,
    random: systemRandom,
    actor: { name: 'anna', maySeeTokens: false },
  };
  const { id } = await withHomeStore(config, (store) =>
    createToken({ ...deps, store }, { entityId: merchant.entityId, label: 'shop', rights: ['read'] }),
  );
  return id;
}

/** Requests that strangers send: unknown tokens, none, other paths, and cards and secrets in all of them. */
const ATTACKS: readonly {
  readonly path: string;
  readonly method: string;
  readonly headers: Record<string, string>;
}[] = [
  { path: '/v1/payments', method: 'POST', headers: { authorization: `Bearer ${SECRET}` } },
  { path: `/v1/payments/${PAN}`, method: 'GET', headers: {} },
  { path: `/${PAN}`, method: 'GET', headers: { authorization: `Basic ${SECRET}` } },
  {
    path: '/v1/checkouts/0123456789ABCDEF0123456789ABCDEF.uat01-vm-tx01/payment',
    method: 'GET',
    headers: {},
  },
  { path: '/docs/openapi.json', method: 'PUT', headers: {} },
  { path: '/healthz', method: 'GET', headers: {} },
];

async function flood(url: string): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const send = (at: number): Promise<void> =>
    new Promise((resolve) => {
      const { path = '/', ...attack } = ATTACKS[at % ATTACKS.length] ?? {};
      const sent = request(new URL(path, url), { agent, ...attack }, (answer) => {
        answer.resume().once('close', resolve);
      });
      sent.once('error', () => resolve());
      sent.end();
    });
  for (let done = 0; done < REFUSED; done += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => send(done + at)));
  agent.destroy();
}

async function sendRubbish({ url, bridgeUrl }: RunningGateway): Promise<void> {
  const { hostname, port } = new URL(url);
  const ended = (emitter: { once(event: 'close', done: () => void): unknown }) =>
    new Promise<void>((resolve) => {
      emitter.once('close', resolve);
    });
  for (let at = 0; at < 20; at += 1) {
    const socket = connect(Number(port), hostname).resume();
    socket.end(`${SECRET}\r\n\r\n`);
    const stranger = new WebSocket(bridgeUrl, BRIDGE_SUBPROTOCOL);
    stranger.on('error', () => undefined);
    stranger.once('message', () => stranger.send(SECRET));
    await Promise.all([ended(socket), ended(stranger)]);
  }
}

it('has the lines of payments and operators after a flood of refused requests', async () => {
  const token = await earlier();
  if (!gateway) throw new Error('not started');
  await flood(gateway.url);
  await sendRubbish(gateway);
  await gateway.close();
  gateway = undefined;
  const paid = { route: '/v1/payments', status: 200, msg: 'request' };
  expect(logged('gateway.log')).toContainEqual(expect.objectContaining(paid));
  const security = logged('security.log');
  expect(security).toContainEqual(
    expect.objectContaining({
      securityEvent: 'command',
      action: 'token create',
      actor: 'anna',
      id: token,
    }),
  );
  const refusals = security.filter(({ securityEvent }) => securityEvent === 'strangers-refused');
  const counted = refusals.reduce((sum, { count }) => sum + Number(count), 0);
  expect(counted).toBeGreaterThanOrEqual((REFUSED * 4) / 6);
  const kinds = Object.keys(Object.assign({}, ...refusals.map((each) => each.kinds)));
  for (const kind of [/^401 /, /^403 /, /^404 /, /^400 unreadable$/, /^bridge /])
    expect(kinds).toContainEqual(expect.stringMatching(kind));
  expect(refusals.length).toBeLessThanOrEqual(3);
  for (const file of readdirSync(home).filter((name) => name.includes('.log')))
    expect(readFileSync(join(home, file), 'utf8')).not.toMatch(new RegExp(`${PAN}|${SECRET}`));
});
