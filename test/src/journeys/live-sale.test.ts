import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json as readJson } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gatewayFiles } from '@tillbridge/gateway/kernel/data-folder/gateway-files.js';
import { defaultKsns } from '@tillbridge/hardware-sim/config/config.js';
import type { MadeKeys } from '@tillbridge/hardware-sim/keys/make-keys.js';
import { issueCertificate, makeAuthority } from '@tillbridge/platform/net/own-authority.js';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { toHex, xorBytes } from '@tillbridge/wire/bytes.js';
import { TEST_CAPKS } from '@tillbridge/wire/crypto/emv/test-capks.js';
import { wrapKeyBlock } from '@tillbridge/wire/crypto/key-block/key-block.js';
import { DEVELOPMENT_KEYS, type DevelopmentKeyName } from '@tillbridge/wire/crypto/key-block/test-keys.js';
import { TEST_CARDS } from '@tillbridge/wire/payment/test-cards.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AcquirerHostClient } from '../clients/acquirer-host-client.js';
import { AgentClient } from '../clients/agent-client.js';
import { SimulatorClient } from '../clients/simulator-client.js';
import { compareWithHost } from '../external/compare.js';
import { PROGRAMS, writeConfig } from '../stack/layout.js';
import { type PartCommand, type PartProcess, startPart } from '../stack/part-process.js';
import { CASE_TIMEOUT_MS, SETTLE_MS } from './test-stack.js';

const run = promisify(execFile);
const ACQUIRER = 'ACME';
const APPROVED = '000.000.000';
const TERMINAL = { id: '7001', deviceType: 'GERTEC_PPC930', serial: 'G0007001' } as const;
/** Base keys, and the transport keys of the acquirer: brought in as two components each. */
const COMPONENTS: readonly (readonly [name: DevelopmentKeyName, usage: string, scope: string])[] = [
  ['bdkPin', 'bdk-pin', 'FFFF'],
  ['bdkData', 'bdk-data', 'FFFF'],
  ['zoneProtectionKey', 'kbpk', ACQUIRER],
];
const MERCHANT = {
  merchantId: 'LIVE-0000000001',
  terminalId: 'ECOM0001',
  category: '5411',
  name: 'Corner shop',
  city: 'Berlin',
  country: 'DE',
};

let folder: string;
let made: MadeKeys;
let authority: string;
let gatewayConfig: string;
let entityId: string;
let token: string;
let host: PartProcess;
let gateway: PartProcess;
let agent: AgentClient;
let simulator: SimulatorClient;
let agentSettings: object;
const parts: PartProcess[] = [];

/** Runs a command of a gateway; gives what it printed. */
async function onGateway(...args: readonly string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [PROGRAMS.gateway, ...args, '--config', gatewayConfig]);
  return stdout;
}

async function start(part: PartCommand): Promise<PartProcess> {
  const started = await startPart(part);
  parts.unshift(started);
  return started;
}

const inFolder = (name: string, content: string): string => {
  writeFileSync(join(folder, name), content, { mode: 0o600 });
  return join(folder, name);
};

/** The configuration of the live gateway, with what differs. */
function writeGatewayConfig(name: string, more: object = {}): string {
  return writeConfig(join(folder, name), {
    home: join(folder, 'gateway'),
    mode: 'live',
    port: 0,
    tls: {
      certificateFile: join(folder, 'certificate.pem'),
      keyFile: join(folder, 'key.pem'),
      redirectPort: 0,
    },
    bridge: { authorityFile: join(folder, 'authority.pem') },
    acquirers: [
      {
        name: ACQUIRER,
        hosts: host.listening.address,
        tls: { authorityFile: join(folder, 'authority.pem') },
      },
    ],
    ...more,
  });
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tillbridge-live-'));
  const valid = { fromMs: Date.now() - 60_000, toMs: Date.now() + 86_400_000 };
  const issuer = makeAuthority('Live test', valid, systemRandom);
  const names = { commonName: 'localhost', dnsNames: ['localhost'], addresses: ['127.0.0.1'] };
  const server = issueCertificate(issuer, names, valid, systemRandom);
  authority = issuer.certificate;
  inFolder('authority.pem', authority);
  const certificateFile = inFolder('certificate.pem', server.certificate);
  const keyFile = inFolder('key.pem', server.key);

  const simulator = (...args: readonly string[]) => run(process.execPath, [PROGRAMS.simulator, ...args]);
  made = JSON.parse((await simulator('keys', join(folder, 'keys'))).stdout) as MadeKeys;
  const ofSimulator = { SIM_KEY_FILE: made.keyFile, SIM_LOG_LEVEL: 'error' };
  host = await start({
    name: 'acquirerHost',
    args: [PROGRAMS.simulator, 'acquirer-host'],
    env: {
      ...ofSimulator,
      SIM_ACQUIRER_HOME: join(folder, 'host'),
      SIM_ACQUIRER_CONTROL_PORT: '0',
      HOST_PORT: '0',
      SIM_ACQUIRER_TLS_CERTIFICATE_FILE: certificateFile,
      SIM_ACQUIRER_TLS_KEY_FILE: keyFile,
    },
  });
  gatewayConfig = writeGatewayConfig('gateway.yaml');

  await onGateway('init');
  const { id } = JSON.parse(await onGateway('entity', 'create', '--name', 'Shop')) as { id: string };
  entityId = id;
  for (const [name, usage, scope] of COMPONENTS) {
    const files = [1, 2].map((part) => join(folder, 'keys', `${name}-${part}.txt`));
    const { algorithm } = DEVELOPMENT_KEYS[name];
    const about = ['--id', name, '--usage', usage, '--scope', scope, '--algorithm', algorithm];
    const kcv = ['--kcv', made.checkValues[name]];
    await onGateway('keys', 'import-components', ...about, ...kcv, '--component-file', ...files);
  }
  for (const [name, usage] of [
    ['zoneMacKey', 'mac'],
    ['zonePinKey', 'zone-pin'],
  ]) {
    const about = ['--id', `${name}`, '--usage', `${usage}`, '--scope', ACQUIRER, '--partner', ACQUIRER];
    await onGateway('keys', 'import-block', ...about, '--file', join(folder, 'keys', `${name}.tr31`));
  }
  const routes = inFolder('routes.json', JSON.stringify([{ acquirer: ACQUIRER, merchant: MERCHANT }]));
  await onGateway('acquirer', 'routing', entityId, '--routes', routes);
  const rights = ['--rights', 'pay', 'refund', 'read'];
  token = (
    JSON.parse(await onGateway('token', 'create', '--entity', entityId, ...rights)) as { token: string }
  ).token;

  gateway = await start({
    name: 'gateway',
    args: [PROGRAMS.gateway, 'serve', '--config', gatewayConfig],
  });
  await startStore(ofSimulator);
}, CASE_TIMEOUT_MS);

/** Keys of a certification authority, as an acquirer gives them; the card carries no certificate. */
function authorityKeys(): string {
  const [rid, index, exponent] = ['A000000003', '99', '03'];
  const modulus = Buffer.from(systemRandom.bytes(128)).fill(0xc5, 0, 1).toString('hex');
  const sha1 = createHash('sha1')
    .update(Buffer.from(`${rid}${index}${modulus}${exponent}`, 'hex'))
    .digest('hex');
  return inFolder('capks.json', JSON.stringify([{ rid, index, modulus, exponent, sha1 }]));
}

/** A terminal with its own keys, a card that is in no list, and their agent, enrolled over TLS. */
async function startStore(env: NodeJS.ProcessEnv): Promise<void> {
  const about = ['--entity', entityId, '--agent', 'store-7', '--terminal', TERMINAL.id];
  const { code } = JSON.parse(await onGateway('agents', 'enrol-code', ...about)) as { code: string };
  const started = await start({
    name: 'simulator',
    args: [
      PROGRAMS.simulator,
      'run',
      '--config',
      writeConfig(join(folder, 'simulator.yaml'), {
        home: join(folder, 'simulator'),
        port: 0,
        auto: true,
        autoDelayMs: 0,
        terminals: [{ ...TERMINAL, defaultCard: 'visa-unlisted' }],
      }),
    ],
    env: { ...env, SIM_PORT: '0' },
  });
  simulator = new SimulatorClient(String(started.listening.url));
  const [terminal] = started.listening.terminals as { transport: string; path: string }[];
  const home = join(folder, 'agent');
  agentSettings = {
    home,
    mode: 'live',
    port: 0,
    capkFile: authorityKeys(),
    terminals: [{ id: TERMINAL.id, deviceType: TERMINAL.deviceType, deviceId: '70010001', ...terminal }],
    gateway: { bridgeUrl: gateway.listening.bridgeUrl },
  };
  const config = writeConfig(join(folder, 'agent.yaml'), agentSettings);
  await run(process.execPath, [PROGRAMS.agent, 'enrol', code, '--config', config]);
  const { ksnPin, ksnData } = defaultKsns(TERMINAL.deviceType, TERMINAL.serial);
  const place = ['--agent', 'store-7', '--terminal', TERMINAL.id, '--type', TERMINAL.deviceType];
  const ksns = ['--account-ksn', ksnData, '--pin-ksn', ksnPin];
  await onGateway('devices', 'add', TERMINAL.serial, ...place, ...ksns);
  const { listening } = await start({
    name: 'agent',
    args: [PROGRAMS.agent, 'run', '--config', config],
    env: { AGENT_PORT: '0', NEXO_PORT: '0', AGENT_OFFLINE: 'off' },
  });
  const till = readFileSync(join(home, 'till-token'), 'utf8').trim();
  agent = new AgentClient({ url: String(listening.url), token: till });
  await agent.untilGateway('up', SETTLE_MS);
  await agent.untilTerminalsReady(SETTLE_MS);
}

afterAll(async () => {
  for (const part of parts) await part.stop();
  rmSync(folder, { recursive: true });
}, CASE_TIMEOUT_MS);

const CARD = {
  amount: '45.00',
  currency: 'EUR',
  paymentType: 'DB',
  'card.number': '4539578763621486',
  'card.expiryMonth': '12',
  'card.expiryYear': '2034',
  'card.cvv': '123',
};

async function pay(form: Readonly<Record<string, string>> = {}): Promise<string> {
  const sent = request(`${gateway.listening.url}/v1/payments`, {
    method: 'POST',
    ca: authority,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-www-form-urlencoded' },
  });
  sent.end(new URLSearchParams({ entityId, ...CARD, ...form }).toString());
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return ((await readJson(response)) as { result: { code: string } }).result.code;
}

const control = (): AcquirerHostClient => new AcquirerHostClient(String(host.listening.url));

const sell = (reference: string) =>
  agent.sale({ reference, amount: '12.34', currency: 'EUR', terminalId: TERMINAL.id });

it('sells with a card and its PIN, and over REST, to the acquirer’s host over TLS', {
  timeout: CASE_TIMEOUT_MS,
}, async () => {
  for (const part of [gateway.listening.url, gateway.listening.bridgeUrl])
    expect(part).toMatch(/^(https|wss):/);
  expect(host.listening).toMatchObject({ isTls: true });
  const { body } = await sell('live-1');
  expect(body).toMatchObject({ outcome: 'approved', mode: 'online', resultCode: APPROVED });
  expect(body.emv?.acType).toBe('TC');
  expect(await pay()).toBe(APPROVED);
  const money = (await control().transactions()).map(({ kind, amountMinor, merchantId }) => [
    kind,
    amountMinor,
    merchantId,
  ]);
  expect(money).toEqual([
    ['sale', 1_234, MERCHANT.merchantId],
    ['sale', 4_500, MERCHANT.merchantId],
  ]);
  // A PIN and a cryptogram that the issuer has found right.
  expect(await control().cards()).toContainEqual(
    expect.objectContaining({ pinTriesLeft: 3, lastAtc: expect.any(Number) }),
  );
  expect((await control().cards()).some(({ lastAtc }) => lastAtc > 0)).toBe(true);
});

describe('refuses', () => {
  /** The error text of a program that ends with 2. */
  async function refusal(program: 'gateway' | 'agent', ...args: readonly string[]): Promise<string> {
    const ended = await run(process.execPath, [PROGRAMS[program], ...args]).catch((error: unknown) => error);
    expect(ended).toMatchObject({ code: 2 });
    return (ended as { readonly stderr: string }).stderr;
  }

  const asLive = (more: object) => writeGatewayConfig('refused.yaml', more);
  const asAgent = (more: object) =>
    writeConfig(join(folder, 'refused-agent.yaml'), { ...agentSettings, ...more });

  it('test cards and the parameters of tests, of which nothing reaches the host', {
    timeout: CASE_TIMEOUT_MS,
  }, async () => {
    const before = await control().transactions();
    expect(await pay({ 'card.number': TEST_CARDS.visaCredit.pan })).toBe('700.500.003');
    for (const testMode of ['INTERNAL', 'EXTERNAL']) expect(await pay({ testMode })).toBe('600.200.701');
    await simulator.present(TERMINAL.id, 'visa-credit-online');
    const { body } = await sell('live-test-card');
    expect(body).toMatchObject({ outcome: 'declined', resultCode: '700.500.003' });
    expect(await control().transactions()).toEqual(before);
  });

  it('test keys: in components, in key blocks, of a development home, and of cards', {
    timeout: CASE_TIMEOUT_MS,
  }, async () => {
    const { hex, kcv } = DEVELOPMENT_KEYS.zonePinKey;
    const key = Buffer.from(hex, 'hex');
    const first = Buffer.alloc(key.length, 0x5a);
    const files = [first, xorBytes(first, key)].map((part, at) => inFolder(`part-${at}`, toHex(part)));
    const about = ['--id', 'test', '--usage', 'zone-pin', '--config', gatewayConfig];
    const asComponents = [
      '--scope',
      'OTHER',
      '--algorithm',
      'tdes2',
      '--kcv',
      kcv,
      '--component-file',
      ...files,
    ];
    expect(await refusal('gateway', 'keys', 'import-components', ...about, ...asComponents)).toContain(
      'testKeyInLive',
    );
    const { zoneProtectionKey } = JSON.parse(readFileSync(made.keyFile, 'utf8')) as Record<string, string>;
    const header = { version: 'D', algorithm: 'T', keyVersion: '00', exportability: 'N' } as const;
    const block = wrapKeyBlock(
      Buffer.from(zoneProtectionKey ?? '', 'hex'),
      { ...header, usage: 'P0', mode: 'B', optionalBlocks: [] },
      key,
      { random: (length) => systemRandom.bytes(length) },
    );
    const asBlock = ['--scope', 'OTHER', '--partner', ACQUIRER, '--file', inFolder('test.tr31', block)];
    expect(await refusal('gateway', 'keys', 'import-block', ...about, ...asBlock)).toContain('testKeyInLive');
    expect(await refusal('gateway', 'seed', '--config', gatewayConfig)).toContain('mode is live');
    const development = join(folder, 'development');
    await run(process.execPath, [PROGRAMS.gateway, 'seed'], {
      env: { ...process.env, GATEWAY_HOME: development },
    });
    expect(await refusal('gateway', 'serve', '--config', asLive({ home: development }))).toContain(
      'is for test, the gateway runs in live',
    );
    expect(await refusal('agent', 'run', '--config', asAgent({ capkFile: undefined }))).toContain('capkFile');
    const testAuthorities = inFolder('test-capks.json', JSON.stringify(TEST_CAPKS));
    expect(await refusal('agent', 'run', '--config', asAgent({ capkFile: testAuthorities }))).toContain(
      'cannot be used',
    );
  });

  it('plain HTTP and lines in clear, of shops, agents and hosts', { timeout: CASE_TIMEOUT_MS }, async () => {
    const before = await control().transactions();
    const order = {
      method: 'POST',
      body: new URLSearchParams({ entityId, ...CARD }),
      redirect: 'manual',
    } as const;
    const { port } = new URL(String(gateway.listening.url));
    const headers = { authorization: `Bearer ${token}` };
    await expect(fetch(`http://127.0.0.1:${port}/v1/payments`, { ...order, headers })).rejects.toThrow();
    const redirected = await fetch(`http://127.0.0.1:${gateway.listening.redirectPort}/v1/payments`, order);
    expect([redirected.status, redirected.headers.get('location')]).toEqual([
      307,
      `${gateway.listening.url}/v1/payments`,
    ]);
    expect(await control().transactions()).toEqual(before);
    expect(await refusal('gateway', 'serve', '--config', asLive({ tls: undefined }))).toContain(
      'it speaks no plain HTTP',
    );
    const inClear = [{ name: ACQUIRER, hosts: host.listening.address }];
    expect(await refusal('gateway', 'serve', '--config', asLive({ acquirers: inClear }))).toContain(
      'needs tls',
    );
    const bridgeUrl = String(gateway.listening.bridgeUrl).replace('wss:', 'ws:');
    expect(await refusal('agent', 'run', '--config', asAgent({ gateway: { bridgeUrl } }))).toContain('wss:');
  });
});

it('ends the day with equal ledgers', { timeout: CASE_TIMEOUT_MS }, async () => {
  const found = await compareWithHost({
    acquirer: ACQUIRER,
    database: gatewayFiles(join(folder, 'gateway')).database,
    hostHome: join(folder, 'host'),
    host: control(),
    untilLine: async () => expect(await pay()).toBe(APPROVED),
    stopGateway: () => gateway.stop(),
  });
  expect(found).toEqual({ payments: [], ledger: [], files: [], exchanges: 3 });
});
