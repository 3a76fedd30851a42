import type { KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rawRequest } from '@tillbridge/platform/http/raw-request.test.support.js';
import { systemClock } from '@tillbridge/platform/system-clock.js';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { BRIDGE_SUBPROTOCOL } from '@tillbridge/wire/bridge/limits.js';
import { toHex } from '@tillbridge/wire/bytes.js';
import {
  RENEWED_CERTIFICATE,
  RENEWED_CERTIFICATE_KEY,
  TEST_CERTIFICATE,
  TEST_CERTIFICATE_KEY,
} from '@tillbridge/wire/crypto/emv/certificate.test.support.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import {
  createToken,
  listTokens,
  revokeToken,
  rotateToken,
  showToken,
} from '../../features/access-tokens/service.js';
import { DEFAULT_CARD_TESTING_LIMITS } from '../../features/checkouts/rules/checkout-limits.js';
import { addDevices, stepDevice } from '../../features/devices/service.js';
import { DEFAULT_REQUEST_LOG } from '../../features/request-log/request-log-settings.js';
import { DEFAULT_SCHEDULE_TIMES } from '../../features/schedules/rules/shortest-interval.js';
import { gatewayFiles } from '../../kernel/data-folder/gateway-files.js';
import { OperatorError } from '../../kernel/errors/operator-error.js';
import { DEFAULT_HTTP_LIMITS } from '../../kernel/http/limits/http-limits.js';
import { DEFAULT_THROTTLE_RATES } from '../../kernel/http/throttle/throttle.js';
import { SqliteStore } from '../../kernel/store/sqlite-store.js';
import { newAgentRow } from '../../security/agents/agent-row.js';
import { loadKeyFile } from '../../security/keys/key-file.js';
import { SoftwareKeyStore } from '../../security/keys/software-key-store.js';
import {
  encipheredTrack2,
  exampleInitialKsn,
  magstripeWithoutPin,
} from '../../security/module/card-example.test.support.js';
import { keyStoreOptions, securityFiles } from '../../security/security-files.js';
import { keyedFingerprint } from '../../security/tokens/fingerprint.js';
import { KeyEncryptionKeys } from '../../security/vault/key-encryption-keys.js';
import { StoredDataKeys } from '../../security/vault/stored-data-keys.js';
import { listAudit } from '../commands/audit-command.js';
import { type Seeded, seed } from '../commands/seed.js';
import type { GatewayConfig } from '../configuration/config.js';
import { type RunningGateway, startGateway } from './serve.js';

let folder: string;
let config: GatewayConfig;
let gateway: RunningGateway | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillbridge-serve-'));
  config = {
    home: join(folder, 'gateway'),
    host: '127.0.0.1',
    port: 0,
    log: { level: 'info', target: join(folder, 'gateway', 'gateway.log') },
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
});
afterEach(async () => {
  await gateway?.close();
  gateway = undefined;
  rmSync(folder, { recursive: true });
});

const OPERATOR = { clock: systemClock, random: systemRandom, actor: 'anna' };

interface Sold {
  readonly status: number;
  readonly id?: string;
  readonly result?: { readonly code: string };
}

const FORM = { amount: '12.34', currency: 'EUR', paymentType: 'DB' };
const CARD = {
  'card.number': '4200000000000000',
  'card.expiryMonth': '12',
  'card.expiryYear': '2099',
};

async function sell(
  { merchant }: Seeded,
  token = merchant.accessToken,
  headers: Readonly<Record<string, string>> = {},
  instrument: Readonly<Record<string, string>> = CARD,
): Promise<Sold> {
  const response = await fetch(`${gateway?.url}/v1/payments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, connection: 'close', ...headers },
    body: new URLSearchParams({
      entityId: merchant.entityId,
      ...FORM,
      ...instrument,
    }),
  });
  return { status: response.status, ...((await response.json()) as object) };
}

async function withStore<T>(work: (store: SqliteStore) => Promise<T>): Promise<T> {
  const store = await SqliteStore.open(gatewayFiles(config.home).database);
  return work(store).finally(() => store.close());
}

describe('seed', () => {
  it('gives the same answer again, and the files of secrets only to their owner', async () => {
    const first = await seed(config);
    expect(await seed(config)).toEqual(first);
    expect(first.merchant.accessToken).toMatch(/^tb_/);
    const files = gatewayFiles(config.home);
    const { gatewayIdentity, gatewayIdentityBackup } = securityFiles(config.home);
    for (const file of [files.credentials, files.tokenKey, gatewayIdentity, gatewayIdentityBackup])
      expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await withStore((store) => listTokens(store))).toHaveLength(4);
    expect(readFileSync(files.database).includes(first.merchant.accessToken)).toBe(false);
  });

  it('mends a database that was lost while its credentials remained', async () => {
    const first = await seed(config);
    rmSync(gatewayFiles(config.home).database);
    expect(await seed(config)).toEqual(first);
    gateway = await startGateway(config);
    expect((await sell(first)).status).toBe(200);
  });

  it('adds the devices that are not there yet, and leaves the others as they are', async () => {
    const devices = ['1001', '1002'].map((terminalId, at) => ({
      serial: `S${at}`,
      deviceType: 'default' as const,
      accountKsn: `FFFF98770000${at}0000000`,
      agentId: 'store-1',
      terminalId,
    }));
    const { merchant } = await seed(config);
    const about = {
      id: 'store-1',
      entityId: merchant.entityId,
      publicKey: 'key',
      terminals: ['1001', '1002'],
    };
    await withStore((store) => store.commit([{ op: 'insert', table: 'agents', row: newAgentRow(about, 1) }]));
    await seed(config, devices.slice(0, 1));
    await withStore((store) => stepDevice({ ...OPERATOR, store }, 'S0', 'suspend'));
    await seed(config, devices);
    const rows = await withStore((store) => store.findAfter('devices', undefined));
    expect(rows.map(({ serial, state }) => `${serial} ${state}`)).toEqual(['S0 suspended', 'S1 active']);
  });
});

describe('serve', () => {
  it('looks for files of acquirers, and refuses a mapping that is none', async () => {
    await seed(config);
    const place = join(folder, 'files');
    mkdirSync(place);
    writeFileSync(join(place, 'settlement-20261123.csv'), 'no headings of ours\n');
    const files = {
      ...{ folder: place, settlements: 'settlement-{day}.csv', chargebacks: 'chargebacks-*.csv' },
      everySeconds: 1,
    };
    const acquirer = {
      ...{ name: 'EXTERNAL', hosts: '127.0.0.1:1' },
      dialect: '1987-binary',
      followUps: 'card',
      macMethod: 'iso9797Algorithm3',
      ...{ connections: 1, connectTimeoutMs: 1_000, answerTimeoutMs: 1_000, echoAfterMs: 60_000 },
    } as const;
    config = {
      ...config,
      acquirers: [{ ...acquirer, files: { ...files, mappingFile: join(folder, 'none.json') } }],
    };
    await expect(startGateway(config)).rejects.toThrow(OperatorError);
    config = { ...config, acquirers: [{ ...acquirer, files }] };
    gateway = await startGateway(config);
    const seen = () => withStore((store) => store.findAfter('acquirerFiles', undefined));
    await expect
      .poll(seen)
      .toMatchObject([{ acquirer: 'EXTERNAL', name: 'settlement-20261123.csv', state: 'quarantined' }]);
  });

  it('takes payments, ends, and finds them again', async () => {
    const seeded = await seed(config);
    gateway = await startGateway(config);
    expect(gateway.bridgeUrl).toBe(`${gateway.url.replace('http', 'ws')}/bridge`);
    const sale = await sell(seeded);
    expect(sale.status).toBe(200);
    await gateway.close();
    gateway = await startGateway(config);
    const again = await fetch(`${gateway.url}/v1/payments/${sale.id}`, {
      headers: { authorization: `Bearer ${seeded.merchant.accessToken}`, connection: 'close' },
    });
    expect(again.status).toBe(200);
    const log = readFileSync(config.log.target, 'utf8');
    expect(log).toContain('/v1/payments');
    expect(log).not.toMatch(/4200000000000000|tb_/);
  });

  it('keeps the answer to an Idempotency-Key over a restart', async () => {
    const seeded = await seed(config);
    gateway = await startGateway(config);
    const headers = { 'idempotency-key': 'order-1' };
    const first = await sell(seeded, undefined, headers);
    expect(first).toMatchObject({ status: 200 });
    await gateway.close();
    gateway = await startGateway(config);
    expect(await sell(seeded, undefined, headers)).toEqual(first);
  });

  it('gives no file of a key by which a card number is found from its hash', async () => {
    const seeded = await seed(config);
    gateway = await startGateway(config);
    await sell(seeded, undefined, { 'idempotency-key': 'order-1' });
    await gateway.close();
    // The thief has database and files, and tries card numbers.
    const files = { ...securityFiles(config.home), tokenKey: gatewayFiles(config.home).tokenKey };
    const ofFiles = [files.masterKey, files.internalAcquirerKey, files.tokenKey].map(loadKeyFile);
    const form = Object.entries({ ...FORM, ...CARD, entityId: seeded.merchant.entityId });
    const tried = JSON.stringify(['/v1/payments', form.sort(([a], [b]) => (a < b ? -1 : 1))]);
    await withStore(async (store) => {
      const [row] = await store.findAfter('idempotency', undefined);
      const hashUnder = (key: KeyObject): string => keyedFingerprint(key)('idempotent request', tried);
      expect(ofFiles.map(hashUnder)).not.toContain(row?.fingerprint);
      const keks = SoftwareKeyStore.open(keyStoreOptions(files, 'test', systemRandom));
      const open = {
        store,
        keks: new KeyEncryptionKeys(keks, systemRandom),
        random: systemRandom,
        clock: systemClock,
      };
      expect(row?.fingerprint).toBe(hashUnder((await StoredDataKeys.open(open)).fingerprintKey));
    });
  });

  it('names a port that is taken and the variable, and gives the home back', async () => {
    await seed(config);
    gateway = await startGateway(config);
    const other: GatewayConfig = {
      ...config,
      home: join(folder, 'other'),
      port: Number(new URL(gateway.url).port),
    };
    await seed(other);
    await expect(startGateway(other)).rejects.toThrow(/port \d+ is in use.*GATEWAY_PORT/);
    const free = await startGateway({ ...other, port: 0 });
    await free.close();
  });

  it('refuses a home that another gateway serves from, and one without keys', async () => {
    await expect(startGateway(config)).rejects.toThrow(/token\.key is missing; "tillbridge-gateway seed"/);
    await seed(config);
    gateway = await startGateway(config);
    await expect(startGateway(config)).rejects.toMatchObject({ name: 'HomeInUseError' });
  });

  it('refuses keys that others could read', async () => {
    await seed(config);
    chmodSync(gatewayFiles(config.home).tokenKey, 0o644);
    await expect(startGateway(config)).rejects.toThrow(/token\.key has mode 644/);
  });

  it('names a database that is damaged', async () => {
    await seed(config);
    writeFileSync(gatewayFiles(config.home).database, 'not a database'.repeat(100));
    await expect(startGateway(config)).rejects.toMatchObject({
      name: 'StoreUnavailableError',
      code: 'corrupt',
    });
  });
});

/** A GET whose certificate is checked. */
async function getTrusted(url: string, token: string, ca = TEST_CERTIFICATE): Promise<number | undefined> {
  const headers = { authorization: `Bearer ${token}`, connection: 'close' };
  const [response] = (await once(get(url, { ca, headers }), 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  return response.statusCode;
}

describe('transport', () => {
  const certificateFile = (): string => join(folder, 'certificate.pem');
  const keyFile = (): string => join(folder, 'key.pem');
  beforeEach(() => {
    writeFileSync(certificateFile(), TEST_CERTIFICATE);
    writeFileSync(keyFile(), TEST_CERTIFICATE_KEY);
  });
  const withTls = (): GatewayConfig => ({
    ...config,
    transport: {
      mode: 'test',
      trustedProxies: [],
      tls: { certificateFile: certificateFile(), keyFile: keyFile(), redirectPort: 0 },
    },
  });

  it('speaks TLS with the certificate of the files, and sends plain HTTP there with 307', async () => {
    const { merchant } = await seed(config);
    gateway = await startGateway(withTls());
    const { url, bridgeUrl, redirectPort } = gateway;
    expect(url).toMatch(/^https:/);
    expect(bridgeUrl).toBe(`${url.replace('https', 'wss')}/bridge`);
    const path = `/v1/payments/${'0'.repeat(32)}`;
    expect(await getTrusted(url + path, merchant.accessToken)).toBe(404);
    const plain = await fetch(`http://127.0.0.1:${redirectPort}${path}`, {
      redirect: 'manual',
      headers: { connection: 'close' },
    });
    expect(plain.status).toBe(307);
    expect(plain.headers.get('location')).toBe(url + path);
    const wrong = await rawRequest(`http://127.0.0.1:${redirectPort}`, 'no request\r\n\r\n');
    expect(wrong.status).toBe(400);
    expect(JSON.parse(wrong.body)).toMatchObject({ result: { code: '200.100.103' } });
  });

  it('opens the bridge behind a proxy only to what came over https', async () => {
    await seed(config);
    gateway = await startGateway({ ...config, transport: { mode: 'test', trustedProxies: ['127.0.0.1'] } });
    const { bridgeUrl } = gateway;
    const statusOf = async (forwardedProto: string): Promise<number | undefined> => {
      const headers = { 'x-forwarded-proto': forwardedProto };
      const socket = new WebSocket(bridgeUrl, BRIDGE_SUBPROTOCOL, { headers });
      const refused = once(socket, 'unexpected-response') as Promise<[ClientRequest, IncomingMessage]>;
      const opened = once(socket, 'open').then(() => undefined);
      const response = await Promise.race([refused.then(([, answer]) => answer), opened]);
      // Ends an open connection; what was refused has none.
      socket.on('error', () => undefined).terminate();
      return response?.statusCode;
    };
    expect(await statusOf('http')).toBe(403);
    expect(await statusOf('https')).toBeUndefined();
  });

  it('takes a new certificate while it runs, and keeps the former one when the new one is broken', async () => {
    const { merchant } = await seed(config);
    gateway = await startGateway(withTls());
    const url = `${gateway.url}/v1/payments/${'0'.repeat(32)}`;
    writeFileSync(certificateFile(), RENEWED_CERTIFICATE);
    writeFileSync(keyFile(), RENEWED_CERTIFICATE_KEY);
    gateway.checkCertificate?.();
    expect(await getTrusted(url, merchant.accessToken, RENEWED_CERTIFICATE)).toBe(404);
    await expect(getTrusted(url, merchant.accessToken)).rejects.toThrow('self-signed certificate');
    writeFileSync(keyFile(), 'no key');
    gateway.checkCertificate?.();
    expect(await getTrusted(url, merchant.accessToken, RENEWED_CERTIFICATE)).toBe(404);
    expect(readFileSync(config.log.target, 'utf8')).toContain('the new certificate cannot be used');
  });

  it('names a certificate that cannot be used, and gives the home back', async () => {
    await seed(config);
    writeFileSync(keyFile(), 'no key');
    await expect(startGateway(withTls())).rejects.toThrow(/tls\.certificateFile .* cannot be used/);
    gateway = await startGateway(config);
  });

  it('refuses test keys in live mode', async () => {
    await seed(config);
    const live: GatewayConfig = { ...config, transport: { ...withTls().transport, mode: 'live' } };
    await expect(startGateway(live)).rejects.toMatchObject({ name: 'KeyStoreError' });
  });
});

describe('devices', () => {
  it('that are added while the gateway runs sell at once, and none before', async () => {
    const seeded = await seed(config);
    gateway = await startGateway(config);
    const swipe = () => {
      const { data, ksn } = encipheredTrack2(magstripeWithoutPin('4200000000000000'));
      return sell(
        seeded,
        undefined,
        {},
        {
          'pos.terminalId': '1',
          'pos.entryMode': 'MAGSTRIPE',
          'pos.encryptedSred.data': toHex(data),
          'pos.encryptedSred.ksn': toHex(ksn),
        },
      );
    };
    expect(await swipe()).toMatchObject({ status: 400, result: { code: '800.100.156' } });
    const device = {
      serial: 'S1',
      deviceType: 'GERTEC_PPC930' as const,
      accountKsn: exampleInitialKsn(1),
      entityId: seeded.merchant.entityId,
      terminalId: '1',
    };
    await withStore((store) => addDevices({ ...OPERATOR, store }, [device]));
    expect(await swipe()).toMatchObject({ status: 200 });
  });
});

describe('tokens', () => {
  it('work until they are replaced or revoked, while the gateway runs', async () => {
    const seeded = await seed(config);
    gateway = await startGateway(config);
    const tokenKey = loadKeyFile(gatewayFiles(config.home).tokenKey);
    await withStore(async (store) => {
      const actor = { name: 'anna', maySeeTokens: true };
      const deps = { store, tokenKey, clock: systemClock, random: systemRandom, actor };
      const about = {
        entityId: seeded.merchant.entityId,
        label: 'shop',
        rights: ['pay', 'refund', 'read'] as const,
      };
      const first = await createToken(deps, about);
      expect((await sell(seeded, first.token)).status).toBe(200);
      const second = await rotateToken(deps, first.id);
      expect((await sell(seeded, first.token)).status).toBe(403);
      expect((await sell(seeded, second.token)).status).toBe(200);
      await revokeToken(deps, second.id);
      expect((await sell(seeded, second.token)).status).toBe(403);
      await expect(revokeToken(deps, second.id)).rejects.toThrow('revoked already');
      await expect(rotateToken(deps, 'none')).rejects.toBeInstanceOf(OperatorError);
      await expect(createToken(deps, { ...about, entityId: 'none' })).rejects.toBeInstanceOf(OperatorError);
      const shown = await listTokens(store);
      expect(JSON.stringify(shown)).not.toMatch(/hash|sealed|tb_/);
      const shop = shown.filter((token) => token.label === 'shop');
      expect(shop.map(({ rights }) => rights)).toEqual([
        ['pay', 'refund', 'read'],
        ['pay', 'refund', 'read'],
      ]);
    });
  });

  it('are shown again to those who may see them, and that is on record', async () => {
    const { merchant } = await seed(config);
    const tokenKey = loadKeyFile(gatewayFiles(config.home).tokenKey);
    await withStore(async (store) => {
      const actor = { name: 'anna', maySeeTokens: true };
      const deps = { store, tokenKey, clock: systemClock, random: systemRandom, actor };
      const about = {
        entityId: merchant.entityId,
        label: 'shop',
        rights: ['pay', 'refund', 'read'] as const,
      };
      const { id, token } = await createToken(deps, about);
      expect(await showToken(deps, id)).toEqual({ id, token });
      const other = { ...deps, actor: { name: 'ben', maySeeTokens: false } };
      await expect(showToken(other, id)).rejects.toThrow('ben may not see tokens');
      await revokeToken(deps, id);
      await expect(showToken(deps, id)).rejects.toThrow('revoked already');
      const records = (await listAudit(store)).filter(({ action }) => action.startsWith('token'));
      expect(records.map(({ action }) => action)).toEqual(['token create', 'token show', 'token revoke']);
      const detail = { entityId: merchant.entityId, rights: about.rights };
      for (const record of records)
        expect(record).toMatchObject({ actor: 'anna', subject: id, outcome: 'done', detail });
      expect(JSON.stringify(await store.get('tokens', [id]))).not.toContain(token);
    });
    expect(readFileSync(gatewayFiles(config.home).database).includes('tb_')).toBe(false);
  });
});
