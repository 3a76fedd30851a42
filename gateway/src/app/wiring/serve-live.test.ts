import { once } from 'node:events';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { systemClock } from '@tillbridge/platform/system-clock.js';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import {
  TEST_CERTIFICATE,
  TEST_CERTIFICATE_KEY,
} from '@tillbridge/wire/crypto/emv/certificate.test.support.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEntity } from '../../core/entities/entities.js';
import { createToken } from '../../features/access-tokens/service.js';
import { DEFAULT_CARD_TESTING_LIMITS } from '../../features/checkouts/rules/checkout-limits.js';
import { DEFAULT_REQUEST_LOG } from '../../features/request-log/request-log-settings.js';
import { DEFAULT_SCHEDULE_TIMES } from '../../features/schedules/rules/shortest-interval.js';
import { gatewayFiles } from '../../kernel/data-folder/gateway-files.js';
import { openHomeStore } from '../../kernel/data-folder/open-store.js';
import { DEFAULT_HTTP_LIMITS } from '../../kernel/http/limits/http-limits.js';
import { DEFAULT_THROTTLE_RATES } from '../../kernel/http/throttle/throttle.js';
import { loadKeyFile } from '../../security/keys/key-file.js';
import { initHome } from '../commands/init.js';
import { SeedError, seed } from '../commands/seed.js';
import type { GatewayConfig } from '../configuration/config.js';
import { type RunningGateway, startGateway } from './serve.js';

let folder: string;
let live: GatewayConfig;
let test: GatewayConfig;
let gateway: RunningGateway | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillbridge-live-'));
  const certificateFile = join(folder, 'certificate.pem');
  const keyFile = join(folder, 'key.pem');
  writeFileSync(certificateFile, TEST_CERTIFICATE);
  writeFileSync(keyFile, TEST_CERTIFICATE_KEY);
  const home = join(folder, 'gateway');
  test = {
    home,
    host: '127.0.0.1',
    port: 0,
    log: { level: 'info', target: join(home, 'gateway.log') },
    resolverIntervalMs: 1_000,
    parkAfterMs: 900_000,
    transport: { mode: 'test', trustedProxies: [] },
    bridge: { tlsPins: [] },
    acquirers: [],
    egressAllowed: [],
    alerts: { mailTo: [] },
    throttle: DEFAULT_THROTTLE_RATES,
    vault: { keepDays: 90, rotateDays: 365 },
    cardTesting: DEFAULT_CARD_TESTING_LIMITS,
    schedules: DEFAULT_SCHEDULE_TIMES,
    requestLog: DEFAULT_REQUEST_LOG,
    limits: DEFAULT_HTTP_LIMITS,
  };
  live = { ...test, transport: { mode: 'live', trustedProxies: [], tls: { certificateFile, keyFile } } };
});
afterEach(async () => {
  await gateway?.close();
  gateway = undefined;
  rmSync(folder, { recursive: true });
});

/** A live home with a merchant; gives its id and a token. */
async function openLive(): Promise<{ readonly entityId: string; readonly token: string }> {
  await initHome(live);
  const store = await openHomeStore(live);
  try {
    const tokenKey = loadKeyFile(gatewayFiles(live.home).tokenKey);
    const actor = { name: 'anna', maySeeTokens: true };
    const deps = { store, tokenKey, clock: systemClock, random: systemRandom, actor };
    const { id: entityId } = await createEntity(deps, { name: 'Shop' });
    const rights = ['pay', 'refund', 'credit', 'read', 'simulator'] as const;
    const { token } = await createToken(deps, { entityId, label: 'shop', rights });
    return { entityId, token };
  } finally {
    await store.close();
  }
}

interface LiveAnswer {
  readonly status: number | undefined;
  readonly body: { readonly id?: string; readonly result: { readonly code: string } };
}

async function ask(
  method: 'GET' | 'POST',
  path: string,
  token: string,
  form: Readonly<Record<string, string>> = {},
): Promise<LiveAnswer> {
  const headers = {
    authorization: `Bearer ${token}`,
    connection: 'close',
    'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
  };
  const sent = request(`${gateway?.url}${path}`, { method, headers, ca: TEST_CERTIFICATE });
  sent.end(method === 'POST' ? new URLSearchParams(form).toString() : undefined);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode, body: JSON.parse(await text(response)) };
}

const CARD = {
  amount: '12.34',
  currency: 'EUR',
  paymentType: 'DB',
  'card.number': '4539578763621486',
  'card.expiryMonth': '12',
  'card.expiryYear': '2099',
  'card.cvv': '123',
};

describe('a live gateway', () => {
  it('refuses every payment with a configuration code, and keeps the refusal', async () => {
    const { entityId, token } = await openLive();
    gateway = await startGateway(live);
    expect(gateway.url).toMatch(/^https:/);
    expect((await ask('GET', '/readyz', token)).status).toBe(200);
    for (const paymentType of ['PA', 'DB', 'CD']) {
      const { status, body } = await ask('POST', '/v1/payments', token, { entityId, ...CARD, paymentType });
      expect(body).toMatchObject({ amount: '12.34', result: { code: '600.200.201' } });
      expect(status).toBe(400);
      const read = await ask('GET', `/v1/payments/${body.id}?entityId=${entityId}`, token);
      expect(read).toMatchObject({ status: 200, body: { id: body.id, result: { code: '600.200.201' } } });
    }
    expect(existsSync(gatewayFiles(live.home).acquirerDatabase)).toBe(false);
    expect(readFileSync(live.log.target, 'utf8')).not.toMatch(/4539578763621486|tb_/);
  });

  it('refuses published test cards with a code of their own', async () => {
    const { entityId, token } = await openLive();
    gateway = await startGateway(live);
    for (const number of ['4200000000000000', '5454545454545454', '4012001037461114']) {
      const { status, body } = await ask('POST', '/v1/payments', token, {
        entityId,
        ...CARD,
        'card.number': number,
      });
      expect(body.result.code).toBe('700.500.003');
      expect(status).toBe(400);
    }
  });

  it.each([
    { testMode: 'INTERNAL' },
    { testMode: 'EXTERNAL' },
    { 'customParameters[forceResultCode]': '000.100.112' },
    { 'customParameters[forceResultCode]': '800.100.151' },
    { 'customParameters[aci.forceResultCode]': '000.100.112' },
    { 'customParameters[unknownForSeconds]': '5' },
    { 'card.holder': '800.100.151' },
    { 'card.holder': '000.100.112' },
  ])('refuses %o: it belongs to the test mode', async (trigger) => {
    const { entityId, token } = await openLive();
    gateway = await startGateway(live);
    const { status, body } = await ask('POST', '/v1/payments', token, { entityId, ...CARD, ...trigger });
    expect(body.result.code).toBe('600.200.701');
    expect(status).toBe(400);
  });

  it('has no simulator', async () => {
    const { token } = await openLive();
    gateway = await startGateway(live);
    const { status, body } = await ask('GET', '/v1/simulator/transactions', token);
    expect(status).toBe(404);
    expect(body.result.code).toBe('200.100.199');
  });

  it('may stand behind a proxy that speaks TLS, and sends everybody else to https', async () => {
    await openLive();
    const { tls: _, ...transport } = live.transport;
    gateway = await startGateway({ ...live, transport: { ...transport, trustedProxies: ['127.0.0.1'] } });
    const plain = await fetch(`${gateway.url}/v1/resultcodes`, {
      redirect: 'manual',
      headers: { connection: 'close' },
    });
    expect(plain.status).toBe(307);
    const proxied = await fetch(`${gateway.url}/v1/resultcodes`, {
      headers: { connection: 'close', 'x-forwarded-proto': 'https' },
    });
    expect(proxied.status).toBe(200);
    await proxied.arrayBuffer();
  });
});

describe('a home', () => {
  it('of the test mode starts in no other', async () => {
    await seed(test);
    await expect(startGateway(live)).rejects.toMatchObject({ name: 'KeyStoreError', code: 'wrongMode' });
    await expect(initHome(live)).rejects.toMatchObject({ code: 'wrongMode' });
    await expect(openHomeStore(live)).rejects.toMatchObject({ name: 'HomeModeError' });
    gateway = await startGateway(test);
  });

  it('of the live mode starts in no other', async () => {
    await openLive();
    for (const use of [startGateway, openHomeStore, (config: GatewayConfig) => seed(config)]) {
      await expect(use(test)).rejects.toMatchObject({ name: 'HomeModeError' });
    }
    gateway = await startGateway(live);
  });

  it('with live keys refuses the database of a test home', async () => {
    const other: GatewayConfig = { ...test, home: join(folder, 'other') };
    await seed(other);
    await initHome(live);
    rmSync(gatewayFiles(live.home).database);
    copyFileSync(gatewayFiles(other.home).database, gatewayFiles(live.home).database);
    await expect(startGateway(live)).rejects.toThrow(/was used in mode test and cannot be used in mode live/);
  });

  it('is not seeded live', async () => {
    await expect(seed(live)).rejects.toBeInstanceOf(SeedError);
    await expect(startGateway(live)).rejects.toThrow(/token\.key is missing.*"tillbridge-gateway init"/);
  });

  it('gets no new key in the place of one that was lost', async () => {
    await openLive();
    rmSync(gatewayFiles(live.home).tokenKey);
    await expect(initHome(live)).rejects.toThrow(/token\.key is missing/);
  });
});
