import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { decodeEnvelope, encodeEnvelope } from '@tillbridge/wire/bridge/codec.js';
import { signWelcome } from '@tillbridge/wire/bridge/handshake.js';
import { BRIDGE_LIMITS, BRIDGE_SUBPROTOCOL } from '@tillbridge/wire/bridge/limits.js';
import type { Bodies, BodyKind, Challenge, Envelope } from '@tillbridge/wire/bridge/messages.js';
import { type WebSocket, WebSocketServer } from 'ws';
import { TEST_GATEWAY_KEY } from './enrolled-home.test.support.js';
import { outsideStreams } from './session-messages.js';

/** The nonce of every challenge of the test gateway. */
const TEST_NONCE = new Uint8Array(BRIDGE_LIMITS.nonceBytes).fill(0x5a);

/** Every challenge of the test gateway. */
export const TEST_CHALLENGE: Challenge = { nonce: TEST_NONCE, versionMin: 1, versionMax: 1 };

/** A welcome as the test gateway gives it, without its proof. */
export const TEST_WELCOME: Bodies['welcome'] = {
  signature: new Uint8Array(),
  version: 1,
  epoch: 1,
  timeMs: Date.UTC(2026, 5, 1),
  heartbeatIntervalMs: 10_000,
  streams: [],
  liveCredits: 4,
  backlogCredits: 2,
};

/** One agent's connection as the gateway sees it. */
export class TestSession {
  private readonly socket: WebSocket;
  private readonly inbox: Envelope[] = [];
  private readonly waiters: (() => void)[] = [];
  private sent = 0;
  /** Resolves with the close code. */
  readonly closed: Promise<number>;

  constructor(socket: WebSocket) {
    this.socket = socket;
    this.closed = once(socket, 'close').then(([code]) => Number(code));
    socket.on('message', (data) => {
      this.inbox.push(decodeEnvelope(data as Buffer));
      for (const wake of this.waiters.splice(0)) wake();
    });
  }

  /** Messages that came and were not taken yet. */
  get waiting(): readonly BodyKind[] {
    return this.inbox.map(({ kind }) => kind);
  }

  /** Takes the first message of the kind, waiting for it; others stay. */
  async take<K extends BodyKind>(kind: K): Promise<Envelope<K>> {
    for (;;) {
      const index = this.inbox.findIndex((envelope) => envelope.kind === kind);
      const [found] = index < 0 ? [] : this.inbox.splice(index, 1);
      if (found) return found as Envelope<K>;
      await new Promise<void>((resolve) => {
        this.waiters.push(resolve);
      });
    }
  }

  send<K extends BodyKind>(kind: K, body: Bodies[K]): void {
    this.sent += 1;
    this.socket.send(encodeEnvelope(outsideStreams(`gateway-${this.sent}`, kind, body) as Envelope));
  }

  sendRaw(data: Uint8Array | string): void {
    this.socket.send(data);
  }

  /** Challenge, Hello, Welcome and the first heartbeat. */
  async welcome(changes: Partial<Bodies['welcome']> = {}): Promise<Envelope<'hello'>> {
    const hello = await this.answer(changes);
    await this.take('heartbeat');
    return hello;
  }

  /** Challenge, Hello and a Welcome that is signed by a key. */
  async answer(changes: Partial<Bodies['welcome']> = {}, key = TEST_GATEWAY_KEY): Promise<Envelope<'hello'>> {
    this.send('challenge', TEST_CHALLENGE);
    const hello = await this.take('hello');
    const welcome = { ...TEST_WELCOME, ...changes };
    const signature = signWelcome(TEST_CHALLENGE, hello.body, welcome, key);
    this.send('welcome', { ...welcome, signature, ...changes });
    return hello;
  }

  /** Cuts the connection without a word. */
  cut(): void {
    this.socket.terminate();
  }
}

/** A gateway for tests of the uplink: a real WebSocket server on the real codec; the test decides what it answers. */
export class TestGateway {
  private readonly server: WebSocketServer;
  private readonly fresh: TestSession[] = [];
  private readonly waiters: ((session: TestSession) => void)[] = [];

  private constructor(server: WebSocketServer) {
    this.server = server;
    server.on('connection', (socket) => {
      const session = new TestSession(socket);
      const waiter = this.waiters.shift();
      if (waiter) waiter(session);
      else this.fresh.push(session);
    });
  }

  /** Listens on loopback; `port` 0 is any free one. */
  static async listen(port = 0): Promise<TestGateway> {
    const server = new WebSocketServer({
      host: '127.0.0.1',
      port,
      perMessageDeflate: false,
      handleProtocols: (offered) => (offered.has(BRIDGE_SUBPROTOCOL) ? BRIDGE_SUBPROTOCOL : false),
    });
    await once(server, 'listening');
    return new TestGateway(server);
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.server.address() as AddressInfo).port}/bridge`;
  }

  /** The next connection of an agent. */
  session(): Promise<TestSession> {
    const session = this.fresh.shift();
    if (session) return Promise.resolve(session);
    return new Promise((resolve) => {
      this.waiters.push(resolve);
    });
  }

  async close(): Promise<void> {
    for (const client of this.server.clients) client.terminate();
    this.server.close();
    await once(this.server, 'close');
  }
}
