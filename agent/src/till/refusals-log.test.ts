import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sendRequest } from '@tillbridge/platform/http/send-request.test.support.js';
import { createLog } from '@tillbridge/platform/log/log.js';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { TillRegistry } from '../access/till-registry.js';
import { MemorySaleService } from './memory-sale-service.test.support.js';
import { createTillServer } from './server.js';

const STORE_TOKEN = 'a-token-of-the-store-0123';
const STOLEN = 'a-token-of-a-stranger-456';

let home: string;
let server: FastifyInstance;
let url: string;
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'refusals-'));
  server = createTillServer({
    service: new MemorySaleService(),
    link: { detail: () => ({ state: 'up', attempt: 0, epoch: 1 }), nudge: () => undefined },
    lineProblem: () => undefined,
    token: STORE_TOKEN,
    tills: new TillRegistry(join(home, 'tills.json'), systemRandom),
    clock: new VirtualClock(),
    log: createLog('test', {
      level: 'info',
      target: join(home, 'agent.log'),
      security: { target: join(home, 'security.log') },
    }),
  });
  url = await server.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(async () => {
  await server.close();
  rmSync(home, { recursive: true });
});

const call = (path: string, token: string, more: object = {}) =>
  sendRequest(`${url}${path}`, { headers: { authorization: `Bearer ${token}` }, ...more });
const logged = (file: string): Record<string, unknown>[] =>
  readFileSync(join(home, file), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

async function newTill(): Promise<string> {
  const headers = { authorization: `Bearer ${STORE_TOKEN}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ id: 'till-1', rights: ['sell'] });
  return JSON.parse((await call('/v1/tills', STORE_TOKEN, { method: 'POST', headers, body })).body).token;
}

it('has some lines of strangers, and counts of the others, in the security log too', async () => {
  for (let at = 0; at < 40; at += 1) {
    await call('/v1/status', STOLEN);
    await call(`/v1/${STOLEN}`, STOLEN);
  }
  await server.close();
  const lines = logged('agent.log');
  expect(lines.filter(({ msg }) => msg === 'token refused')).toHaveLength(3);
  expect(lines.length).toBeLessThan(12);
  const [sum] = logged('security.log').filter(({ securityEvent }) => securityEvent === 'strangers-refused');
  expect(sum).toMatchObject({ count: 80, addresses: { 'own-machine': 80 } });
  expect(JSON.stringify([lines, sum])).not.toContain(STOLEN);
});

it('limits the lines of a till without the right to what it requests, and counts it as no stranger', async () => {
  const token = await newTill();
  for (let at = 0; at < 15; at += 1) await call('/v1/tills', token);
  await server.close();
  // Lines are written at the end of their turn.
  await new Promise(setImmediate);
  const refused = logged('agent.log').filter(({ msg }) => msg === 'token refused');
  expect(refused).toHaveLength(11);
  expect(refused.at(-1)).toMatchObject({ unlogged: 5 });
  expect(logged('security.log').map(({ securityEvent }) => securityEvent)).toEqual(['token-created']);
});

it('has the tokens of tills in the security log', async () => {
  const token = await newTill();
  await call('/v1/tills/till-1', STORE_TOKEN, { method: 'DELETE' });
  expect(logged('security.log')).toMatchObject([
    { securityEvent: 'token-created', till: 'till-1', rights: ['sell'] },
    { securityEvent: 'token-revoked', till: 'till-1' },
  ]);
  expect(readFileSync(join(home, 'security.log'), 'utf8')).not.toContain(token);
});
