import { execFileSync, spawnSync } from 'node:child_process';
import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, createServer as createTlsServer, type Server as TlsServer } from 'node:tls';
import { BridgeUplink } from '@tillbridge/agent/uplink/bridge-uplink.js';
import { type Enrolled, enrol } from '@tillbridge/agent/uplink/enrol.js';
import { memoryTrust } from '@tillbridge/agent/uplink/enrolled-home.test.support.js';
import { MemoryQueue } from '@tillbridge/agent/uplink/memory-queue.test.support.js';
import { ENROLMENT_TLS, tlsOptions } from '@tillbridge/agent/uplink/tls-trust.js';
import { websocketConnector } from '@tillbridge/agent/uplink/websocket-connector.js';
import { attachBridge, type BridgeEndpoint } from '@tillbridge/gateway/core/bridge/endpoint.js';
import {
  ENTITY,
  openPaymentHarness,
  type PaymentHarness,
} from '@tillbridge/gateway/core/payments/payment-harness.test.support.js';
import { issueEnrolCode } from '@tillbridge/gateway/features/agents/service.js';
import { MessageSeal } from '@tillbridge/gateway/security/vault/message-seal.js';
import { testKeyRing } from '@tillbridge/gateway/security/vault/testing/test-key-ring.js';
import { StrangerLog } from '@tillbridge/platform/log/stranger-log.js';
import { systemClock } from '@tillbridge/platform/system-clock.js';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { parseEnrolmentCode } from '@tillbridge/wire/bridge/enrolment-code.js';
import { tlsPinOf } from '@tillbridge/wire/bridge/gateway-pins.js';
import { spkiOf } from '@tillbridge/wire/bridge/identity-key.js';
import type { GatewayPins } from '@tillbridge/wire/bridge/messages.js';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

// Agent and gateway over real TLS, with a private certification authority, and a man in the middle.

const log = pino({ level: 'silent' });
const identity = generateKeyPairSync('ed25519');
const backup = generateKeyPairSync('ed25519');

/** A key, its certificate and the pin of it. */
interface TlsIdentity {
  readonly key: string;
  readonly cert: string;
  readonly pin: string;
}

let folder: string;
let own: TlsIdentity;
let foreign: TlsIdentity;
let authority: string;

const hasOpenssl = /^OpenSSL [3-9]/.test(
  spawnSync('openssl', ['version'], { encoding: 'utf8' }).stdout ?? '',
);
if (!hasOpenssl)
  console.log('skipped: enrolment over TLS, because OpenSSL 3 is not installed (apt install openssl)');

/** Made with OpenSSL: a private authority, and two certificates of it for 127.0.0.1. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'enrolment-'));
  if (!hasOpenssl) return;
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  openssl('req', '-x509', ...newKey, '-subj', '/CN=Private authority', '-keyout', 'ca.key', '-out', 'ca.pem');
  const make = (name: string): TlsIdentity => {
    const files = ['-keyout', `${name}.key`, '-out', `${name}.pem`];
    const of = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-addext', 'subjectAltName=IP:127.0.0.1'];
    openssl('req', '-x509', ...newKey, '-subj', `/CN=${name}`, ...of, ...files);
    const [key, cert] = [`${name}.key`, `${name}.pem`].map((file) =>
      readFileSync(join(folder, file), 'utf8'),
    );
    if (!key || !cert) throw new Error('OpenSSL has written nothing');
    return { key, cert, pin: tlsPinOf(spkiOf(new X509Certificate(cert).publicKey)) };
  };
  own = make('gateway');
  foreign = make('between');
  authority = readFileSync(join(folder, 'ca.pem'), 'utf8');
});
afterAll(() => rmSync(folder, { recursive: true }));

let services: PaymentHarness;
let server: Server;
let endpoint: BridgeEndpoint;
let between: TlsServer;
let uplink: BridgeUplink | undefined;
let alerts: string[];
let pins: GatewayPins;

const urlOf = (of: Server | TlsServer) => `wss://127.0.0.1:${(of.address() as AddressInfo).port}/bridge`;

beforeEach(async ({ skip }) => {
  skip(!hasOpenssl);
  services = await openPaymentHarness();
  alerts = [];
  pins = {
    identityKeys: [spkiOf(identity.publicKey), spkiOf(backup.publicKey)],
    tlsPins: [own.pin],
    authorities: [new X509Certificate(authority).raw],
  };
  server = createServer(own);
  endpoint = attachBridge({
    server,
    service: services.service,
    store: services.store,
    alerts: services.alerts,
    clock: systemClock,
    random: systemRandom,
    seal: new MessageSeal(testKeyRing()),
    log,
    strangers: new StrangerLog({ log, clock: systemClock }),
    trust: { signingKey: identity.privateKey, pins: () => pins, alert: ({ code }) => alerts.push(code) },
    arrivalOf: () => ({ peer: 'agent', channels: [own.pin] }),
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  // Passes every byte on, under its own key with a certificate of the same authority.
  between = createTlsServer(foreign, (client) => {
    const { port } = server.address() as AddressInfo;
    const upstream = connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
    client.pipe(upstream).pipe(client);
    for (const end of [client, upstream]) end.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => {
    between.listen(0, '127.0.0.1', resolve);
  });
});
afterEach(async () => {
  if (!hasOpenssl) return;
  await uplink?.close();
  uplink = undefined;
  await endpoint.close();
  for (const each of [server, between]) await new Promise((resolve) => each.close(resolve));
  await services.dispose();
});

async function newCode(agentId = 'store-9'): Promise<string> {
  const { store } = services;
  const operator = { store, clock: systemClock, random: systemRandom, actor: 'anna' };
  const [identityKey = new Uint8Array()] = pins.identityKeys;
  const about = { entityId: ENTITY, agentId, terminals: ['9001'] };
  return (await issueEnrolCode({ ...operator, identityKey }, about)).code;
}

const agentKey = generateKeyPairSync('ed25519').privateKey;

function enrolAt(url: string, code: string): Promise<Enrolled> {
  return enrol({
    code: parseEnrolmentCode(code),
    agentId: '',
    privateKey: agentKey,
    connect: websocketConnector(url, () => ENROLMENT_TLS),
    timeoutMs: 10_000,
    clock: systemClock,
    random: systemRandom,
  });
}

/** The link of an enrolled agent; resolves with its state when it is up or down. */
async function linkAt(url: string, enrolled: Enrolled, checked: GatewayPins = enrolled.pins) {
  const publicKeyPem = '';
  const link = new BridgeUplink({
    speaker: {
      identity: { agentId: enrolled.agentId, privateKey: agentKey, publicKeyPem },
      bootId: 'boot',
      generation: enrolled.generation,
      software: 'test',
    },
    connect: websocketConnector(url, () => tlsOptions(checked)),
    trust: memoryTrust(enrolled.pins),
    queue: new MemoryQueue(),
    terminals: () => [],
    clock: systemClock,
    random: systemRandom,
    log,
  });
  uplink = link;
  const decided = new Promise<void>((resolve) => {
    link.onState((state) => state !== 'connecting' && resolve());
  });
  link.start();
  await decided;
  return link.detail();
}

describe('an agent', () => {
  test('is enrolled over a certificate that it does not know yet, and from then on knows it', async () => {
    const enrolled = await enrolAt(urlOf(server), await newCode());
    expect(enrolled).toMatchObject({ agentId: 'store-9', entityId: ENTITY, generation: 1, pins });
    expect(await linkAt(urlOf(server), enrolled)).toMatchObject({ state: 'up', epoch: 1 });
  });

  test('is not enrolled through a man in the middle, and its code stays good', async () => {
    const code = await newCode();
    await expect(enrolAt(urlOf(between), code)).rejects.toMatchObject({
      name: 'EnrolmentError',
      code: 'refused',
    });
    expect(await services.store.get('agents', ['store-9'])).toBeUndefined();
    expect(await enrolAt(urlOf(server), code)).toMatchObject({ agentId: 'store-9' });
  });

  test('is not enrolled by a gateway that names the key of a man in the middle', async () => {
    pins = { ...pins, tlsPins: [foreign.pin] };
    await expect(enrolAt(urlOf(server), await newCode())).rejects.toMatchObject({ code: 'other-channel' });
  });

  test('is not enrolled by another gateway than gave the code', async () => {
    const code = await newCode();
    const other = generateKeyPairSync('ed25519');
    pins = { ...pins, identityKeys: [spkiOf(other.publicKey), spkiOf(identity.publicKey)] };
    await expect(enrolAt(urlOf(server), code)).rejects.toMatchObject({ code: 'other-gateway' });
  });

  test('that cannot reach a gateway reports it as unreachable', async () => {
    await expect(enrolAt('wss://127.0.0.1:9/bridge', await newCode())).rejects.toMatchObject({
      code: 'unreachable',
    });
  });
});

describe('a man in the middle between an enrolled agent and its gateway', () => {
  test('gets no message from the agent, though the certificate is of the right authority', async () => {
    const enrolled = await enrolAt(urlOf(server), await newCode());
    const detail = await linkAt(urlOf(between), enrolled);
    expect(detail).toMatchObject({ state: 'down', reason: 'unreachable' });
    expect(detail.detail).toContain(`${foreign.pin}, which is not pinned`);
  });

  test('is found out by the gateway where the agent does not pin, and staff is alerted', async () => {
    const enrolled = await enrolAt(urlOf(server), await newCode());
    const unpinned = { ...enrolled.pins, tlsPins: [] };
    expect(await linkAt(urlOf(between), enrolled, unpinned)).toMatchObject({ reason: 'unauthenticated' });
    expect(alerts).toEqual(['agent-channel-foreign']);
  });

  test('does not get an agent to trust a certificate of an unknown authority', async () => {
    const enrolled = await enrolAt(urlOf(server), await newCode());
    const detail = await linkAt(urlOf(server), enrolled, { ...enrolled.pins, authorities: [] });
    expect(detail).toMatchObject({ state: 'down', reason: 'unreachable' });
  });
});
