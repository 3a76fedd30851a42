import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StrangerLog } from '@tillbridge/platform/log/stranger-log.js';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { decodeEnvelope, encodeEnvelope } from '@tillbridge/wire/bridge/codec.js';
import { NO_TLS } from '@tillbridge/wire/bridge/gateway-pins.js';
import { signHello } from '@tillbridge/wire/bridge/handshake.js';
import { spkiOf } from '@tillbridge/wire/bridge/identity-key.js';
import { BRIDGE_SUBPROTOCOL } from '@tillbridge/wire/bridge/limits.js';
import type {
  Bodies,
  BodyKind,
  Challenge,
  Envelope,
  GatewayPins,
  Hello,
} from '@tillbridge/wire/bridge/messages.js';
import { WebSocket } from 'ws';
import { Alerts } from '../../kernel/alerts/alerts.js';
import type { Owner } from '../../kernel/nodes/node-lease.js';
import type { Signals } from '../../kernel/store/signals/signals.js';
import type { Store } from '../../kernel/store/store.js';
import { MessageSeal } from '../../security/vault/message-seal.js';
import { testKeyRing } from '../../security/vault/testing/test-key-ring.js';
import {
  AGENT,
  type MakeStore,
  openPaymentHarness,
  type PaymentHarness,
} from '../payments/payment-harness.test.support.js';
import type { PaymentService } from '../payments/payment-service.js';
import { attachBridge, type BridgeEndpoint, type BridgeEndpointOptions } from './endpoint.js';
import type { TrustAlert } from './enrolment/trust-alerts.js';
import type { BridgeLimits } from './limits/bridge-limits.js';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const gatewayKey = generateKeyPairSync('ed25519');
const backupKey = generateKeyPairSync('ed25519');

/** The key of the harness's agent. */
export const AGENT_KEY: KeyObject = privateKey;
/** What agents of the harness pin. */
export const TEST_PINS: GatewayPins = {
  identityKeys: [spkiOf(gatewayKey.publicKey), spkiOf(backupKey.publicKey)],
  tlsPins: [],
  authorities: [],
};
/** By what the harness's gateway proves itself. */
export const TEST_IDENTITY: KeyObject = gatewayKey.privateKey;
/** The nonce of every test agent. */
const NONCE = Buffer.alloc(32, 0x3c);

/** The agent's end of a real socket: sends the test's messages and keeps what comes. */
export class TestAgent {
  readonly socket: WebSocket;
  /** Resolves with the close code. */
  readonly closed: Promise<number>;
  readonly #inbox: Envelope[] = [];
  #waiters: { kind: BodyKind; resolve(envelope: Envelope): void }[] = [];

  constructor(url: string, headers: Readonly<Record<string, string>> = {}) {
    this.socket = new WebSocket(url, BRIDGE_SUBPROTOCOL, { perMessageDeflate: false, headers });
    this.socket.on('message', (data: Buffer) => this.#received(decodeEnvelope(data)));
    this.socket.on('error', () => undefined);
    this.closed = new Promise((resolve) => {
      this.socket.on('close', (code) => resolve(code));
    });
  }

  #received(envelope: Envelope): void {
    const waiter = this.#waiters.find(({ kind }) => kind === envelope.kind);
    if (!waiter) this.#inbox.push(envelope);
    this.#waiters = this.#waiters.filter((other) => other !== waiter);
    waiter?.resolve(envelope);
  }

  /** The next message of this kind, now or later. */
  async next<K extends BodyKind>(kind: K): Promise<Bodies[K]> {
    return (await this.nextEnvelope(kind)).body;
  }

  /** The same with its envelope. */
  async nextEnvelope<K extends BodyKind>(kind: K): Promise<Envelope<K>> {
    const at = this.#inbox.findIndex((envelope) => envelope.kind === kind);
    const [ready] = at < 0 ? [] : this.#inbox.splice(at, 1);
    const envelope =
      ready ?? (await new Promise<Envelope>((resolve) => this.#waiters.push({ kind, resolve })));
    return envelope as Envelope<K>;
  }

  /** Kinds that came without a request. */
  get unread(): readonly BodyKind[] {
    return this.#inbox.map(({ kind }) => kind);
  }

  /** Sends a message outside the streams. */
  say<K extends BodyKind>(kind: K, body: Bodies[K], id = 'outside'): void {
    this.#write({ id, terminalId: '', sequence: 0, kind, body } as Envelope);
  }

  /** Sends a message of terminal 1's stream, or of another's. */
  stream<K extends BodyKind>(kind: K, sequence: number, id: string, body: Bodies[K], terminalId = '1'): void {
    this.#write({ id, terminalId, sequence, kind, body } as Envelope);
  }

  #write(envelope: Envelope): void {
    this.socket.send(encodeEnvelope(envelope));
  }

  /** Answers the challenge. */
  async hello(overrides: Partial<Hello> = {}, key: KeyObject = privateKey): Promise<void> {
    this.say('hello', this.prove(await this.next('challenge'), overrides, key));
  }

  /** The Hello to a challenge. */
  prove(challenge: Challenge, overrides: Partial<Hello> = {}, key: KeyObject = privateKey): Hello {
    const hello = {
      agentId: AGENT,
      bootId: 'boot',
      generation: 1,
      versionMin: 1,
      versionMax: 1,
      nonce: NONCE,
      channel: NO_TLS,
      software: 'test agent',
      streams: [],
      terminals: [],
      ...overrides,
    };
    return { signature: signHello(challenge, hello, key), ...hello };
  }

  /** Sends Hello and waits for the Welcome. */
  async join(): Promise<Bodies['welcome']> {
    await this.hello();
    return this.next('welcome');
  }
}

/** A gateway's bridge on a real port, over the service's harness. */
export interface BridgeHarness {
  readonly services: PaymentHarness;
  readonly endpoint: BridgeEndpoint;
  readonly server: Server;
  readonly url: string;
  /** What was logged, as JSON. */
  readonly log: string[];
  readonly alerts: readonly TrustAlert[];
  /** Resolves when a text has been logged so many times. */
  logged(text: string, times?: number): Promise<void>;
  /** Allows the agent's next generation, as an operator does. */
  allow(generation: number): Promise<void>;
  /** A new socket to the bridge. */
  connect(path?: string, headers?: Readonly<Record<string, string>>): TestAgent;
  dispose(): Promise<void>;
}

/** What a test may change. */
export interface BridgeHarnessOptions {
  readonly limits?: Partial<BridgeLimits>;
  /** Stands between the bridge and the real service. */
  readonly around?: (service: PaymentService) => PaymentService;
  readonly arrivalOf?: BridgeEndpointOptions['arrivalOf'];
  /** Makes the database of the gateway. */
  readonly makeStore?: MakeStore;
  /** The other node of this database, where there are two, with its own way to the database. */
  readonly other?: { readonly services: PaymentHarness; readonly store: Store };
  readonly signals?: Signals;
  readonly node?: Pick<Owner, 'id'>;
}

/** Opens the bridge with one agent of epoch 1 and the terminals 1 and 2. */
export async function openBridgeHarness({
  limits = {},
  around = (service) => service,
  arrivalOf,
  makeStore,
  other,
  signals,
  node,
}: BridgeHarnessOptions = {}): Promise<BridgeHarness> {
  const services = other?.services ?? (await openPaymentHarness(makeStore));
  if (!other) await registerKey(services);
  const server = createServer();
  const log: string[] = [];
  const alerts: TrustAlert[] = [];
  const onLine = new EventEmitter();
  const keep = (about: object, text: string): void => {
    log.push(`${text} ${JSON.stringify(about)}`);
    onLine.emit('line');
  };
  const kept = { info: keep, warn: keep, error: keep };
  const stored = new Alerts({ ...services, log: kept });
  const endpoint = attachBridge({
    server,
    service: around(services.service),
    store: other?.store ?? services.store,
    ...(signals && { signals }),
    ...(node && { node }),
    clock: services.clock,
    random: systemRandom,
    alerts: stored,
    seal: new MessageSeal(testKeyRing()),
    log: kept,
    strangers: new StrangerLog({ log: kept, clock: services.clock }),
    trust: {
      signingKey: TEST_IDENTITY,
      pins: () => TEST_PINS,
      alert: (raised) => {
        alerts.push(raised);
        void stored.raise(raised);
      },
    },
    ...(arrivalOf && { arrivalOf }),
    limits,
    isAcquirerSilent: () => services.line.cut,
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const agents: TestAgent[] = [];
  return {
    services,
    endpoint,
    server,
    url,
    log,
    alerts,
    async logged(text, times = 1) {
      while (log.filter((line) => line.startsWith(text)).length < times) await once(onLine, 'line');
    },
    async allow(allowedGeneration) {
      const row = await services.store.get('agents', [AGENT]);
      if (!row) throw new Error('the harness has no agent');
      const allowedUntilMs = services.clock.nowMs() + 1_000;
      const allowed = { ...row, allowedGeneration, allowedUntilMs };
      await services.store.commit([{ op: 'update', table: 'agents', row: allowed }]);
    },
    connect(path = '/bridge', headers = {}) {
      const agent = new TestAgent(url + path, headers);
      agents.push(agent);
      return agent;
    },
    async dispose() {
      for (const agent of agents) agent.socket.terminate();
      await endpoint.close();
      await new Promise((resolve) => {
        server.close(resolve);
      });
      if (!other) await services.dispose();
    },
  };
}

async function registerKey({ store }: PaymentHarness): Promise<void> {
  const agent = await store.get('agents', [AGENT]);
  if (!agent) throw new Error('the harness has no agent');
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  await store.commit([
    { op: 'update', table: 'agents', row: { ...agent, publicKey: pem, terminals: '["1","2"]' } },
  ]);
}
