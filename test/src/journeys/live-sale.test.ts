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
import { gatewayProgram } from '@tillbridge/gateway/program.js';
import { defaultKsns } from '@tillbridge/hardware-sim/config/config.js';
import type { TransactionRow } from '@tillbridge/hardware-sim/hosts/acquirer/rows/tables.js';
import type { MadeKeys } from '@tillbridge/hardware-sim/keys/make-keys.js';
import {
  DEVELOPMENT_KEYS,
  type DevelopmentKeyName,
} from '@tillbridge/protocol/crypto/key-block/test-keys.js';
import { issueCertificate, makeAuthority } from '@tillbridge/protocol/platform/net/own-authority.js';
import { systemRandom } from '@tillbridge/protocol/platform/system-random.js';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { AgentClient } from '../clients/agent-client.js';
import { call } from '../clients/http.js';
import { PROGRAMS, writeConfig } from '../stack/layout.js';
import { type PartCommand, type PartProcess, StartFailure, startPart } from '../stack/part-process.js';
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
let gateway: PartProcess;
let agent: AgentClient;
const parts: PartProcess[] = [];

/** Runs a command of the live gateway in this process, which starts faster than one of its own; gives what it printed. */
async function onGateway(...args: readonly string[]): Promise<string> {
  let out = '';
  const printed = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    out += String(text);
    return true;
  });
  const told = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    await gatewayProgram().parseAsync([...args, '--config', gatewayConfig], { from: 'user' });
    return out;
  } finally {
    printed.mockRestore();
    told.mockRestore();
  }
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

function writeGatewayConfig(name: string, acquirer: object): string {
  const tls = {
    certificateFile: join(folder, 'certificate.pem'),
    keyFile: join(folder, 'key.pem'),
  };
  return writeConfig(join(folder, name), {
    home: join(folder, 'gateway'),
    mode: 'live',
    port: 0,
    tls,
    bridge: { authorityFile: join(folder, 'authority.pem') },
    acquirers: [{ name: ACQUIRER, ...acquirer }],
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
  const host = await start({
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
  const tls = { authorityFile: join(folder, 'authority.pem') };
  gatewayConfig = writeGatewayConfig('gateway.yaml', { hosts: host.listening.address, tls });

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

/** A terminal with keys of its own, a card that is in no list, and the agent beside them, enrolled over TLS. */
async function startStore(env: NodeJS.ProcessEnv): Promise<void> {
  const about = ['--entity', entityId, '--agent', 'store-7', '--terminal', TERMINAL.id];
  const { code } = JSON.parse(await onGateway('agents', 'enrol-code', ...about)) as { code: string };
  const simulator = await start({
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
  const [terminal] = simulator.listening.terminals as { transport: string; path: string }[];
  const home = join(folder, 'agent');
  const config = writeConfig(join(folder, 'agent.yaml'), {
    home,
    mode: 'live',
    port: 0,
    capkFile: authorityKeys(),
    terminals: [{ id: TERMINAL.id, deviceType: TERMINAL.deviceType, deviceId: '70010001', ...terminal }],
    gateway: { bridgeUrl: gateway.listening.bridgeUrl },
  });
  await run(process.execPath, [PROGRAMS.agent, 'enrol', code, '--config', config]);
  const { ksnPin, ksnData } = defaultKsns(TERMINAL.deviceType, TERMINAL.serial);
  const place = ['--agent', 'store-7', '--terminal', TERMINAL.id, '--type', TERMINAL.deviceType];
  const ksns = ['--account-ksn', ksnData, '--pin-ksn', ksnPin];
  await onGateway('devices', 'add', TERMINAL.serial, ...place, ...ksns);
  const started = await start({
    name: 'agent',
    args: [PROGRAMS.agent, 'run', '--config', config],
    env: { AGENT_PORT: '0', NEXO_PORT: '0', AGENT_OFFLINE: 'off' },
  });
  const till = readFileSync(join(home, 'till-token'), 'utf8').trim();
  agent = new AgentClient({ url: String(started.listening.url), token: till });
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

async function ledger(): Promise<readonly TransactionRow[]> {
  const host = parts.find(({ name }) => name === 'acquirerHost');
  const { body } = await call<readonly TransactionRow[]>('GET', `${host?.listening.url}/transactions`);
  return body;
}

it('sells with a card and its PIN, and over REST, to the acquirer’s host over TLS', {
  timeout: CASE_TIMEOUT_MS,
}, async () => {
  const request = { reference: 'live-1', amount: '12.34', currency: 'EUR', terminalId: TERMINAL.id };
  const { body } = await agent.sale(request);
  expect(body).toMatchObject({ outcome: 'approved', mode: 'online', resultCode: APPROVED });
  expect(body.emv?.acType).toBe('TC');
  expect(await pay()).toBe(APPROVED);
  const money = (await ledger()).map(({ kind, amountMinor, merchantId }) => [kind, amountMinor, merchantId]);
  expect(money).toEqual([
    ['sale', 1_234, MERCHANT.merchantId],
    ['sale', 4_500, MERCHANT.merchantId],
  ]);
});

it('refuses test cards, test keys, and a host in clear', { timeout: CASE_TIMEOUT_MS }, async () => {
  expect(await pay({ 'card.number': '4200000000000000' })).toBe('700.500.003');
  const { hex, kcv } = DEVELOPMENT_KEYS.zonePinKey;
  const first = Buffer.alloc(16, 0x5a);
  const second = Buffer.from(hex, 'hex').map((byte) => byte ^ 0x5a);
  const files = [first, Buffer.from(second)].map((part, at) => inFolder(`part-${at}`, part.toString('hex')));
  const about = ['--id', 'test', '--usage', 'zone-pin', '--scope', 'OTHER', '--algorithm', 'tdes2'];
  const wrong = onGateway('keys', 'import-components', ...about, '--kcv', kcv, '--component-file', ...files);
  await expect(wrong).rejects.toThrow('testKeyInLive');
  const inClear = writeGatewayConfig('clear.yaml', { hosts: '127.0.0.1:8096' });
  const refused = startPart({ name: 'gateway', args: [PROGRAMS.gateway, 'serve', '--config', inClear] });
  await expect(refused).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining('needs tls') });
  await expect(refused).rejects.toBeInstanceOf(StartFailure);
});
