import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import type { Clock } from '@tillbridge/wire/seams/clock.js';

/** The network between agent and gateway as a person sets it. */
export interface NetworkState {
  /** `down` cuts what is open and refuses what comes; `slow` holds up every piece by `latencyMs`. */
  readonly state: 'up' | 'down' | 'slow';
  readonly latencyMs: number;
  /** What the gateway sends is swallowed; what the agent sends arrives. */
  readonly dropAnswers: boolean;
}

/** The network as it starts. */
export const NETWORK_UP: NetworkState = { state: 'up', latencyMs: 0, dropAnswers: false };
/** Latency where `slow` names none, and the most it may name. */
export const DEFAULT_LATENCY_MS = 1_000;
export const MAX_LATENCY_MS = 60_000;
/** Connections through the proxy at once. */
const MAX_CONNECTIONS = 256;
/** Bytes under way in one direction of one connection before reading pauses. */
const MAX_BYTES_UNDER_WAY = 1 << 20;

/** Where the proxy listens and where it leads. */
interface ProxyOptions {
  readonly host: string;
  readonly port: number;
  readonly targetHost: string;
  readonly targetPort: number;
  readonly clock: Clock;
}

interface Connection {
  readonly agent: Socket;
  readonly gateway: Socket;
  /** Answers were swallowed: the byte stream has a hole and cannot go on. */
  holed: boolean;
}

/** A network cable with a hand on it: a TCP proxy that can be cut, slowed down or made one-way. */
export class NetworkProxy {
  readonly #options: ProxyOptions;
  readonly #server: Server;
  readonly #connections = new Set<Connection>();
  #network: NetworkState = NETWORK_UP;

  constructor(options: ProxyOptions) {
    this.#options = options;
    this.#server = createServer({ allowHalfOpen: true }, (socket) => this.#accept(socket));
  }

  /** Begins to listen; gives the port. Rejects with the system's error, such as EADDRINUSE. */
  async listen(): Promise<number> {
    const { host, port } = this.#options;
    this.#server.listen(port, host);
    await once(this.#server, 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  get network(): NetworkState {
    return this.#network;
  }

  /** Sets the network, for open connections too. */
  set(network: NetworkState): void {
    this.#network = network;
    for (const connection of [...this.#connections]) {
      if (network.state === 'down' || (connection.holed && !network.dropAnswers)) cut(connection);
    }
  }

  /** Cuts everything and stops listening. */
  async close(): Promise<void> {
    for (const connection of [...this.#connections]) cut(connection);
    if (!this.#server.listening) return;
    this.#server.close();
    await once(this.#server, 'close');
  }

  #accept(agent: Socket): void {
    if (this.#network.state === 'down' || this.#connections.size >= MAX_CONNECTIONS) {
      agent.resetAndDestroy();
      return;
    }
    const { targetHost, targetPort } = this.#options;
    const gateway = connect({ host: targetHost, port: targetPort, allowHalfOpen: true, noDelay: true });
    agent.setNoDelay(true);
    const connection: Connection = { agent, gateway, holed: false };
    this.#connections.add(connection);
    for (const socket of [agent, gateway]) {
      socket.on('error', () => cut(connection));
      socket.on('close', () => {
        cut(connection);
        this.#connections.delete(connection);
      });
    }
    this.#carry(agent, gateway, () => true);
    this.#carry(gateway, agent, () => {
      if (!this.#network.dropAnswers) return !connection.holed;
      connection.holed = true;
      return false;
    });
  }

  /** Moves bytes one way, in order, each piece after the latency of the moment it came in. */
  #carry(from: Socket, to: Socket, passes: () => boolean): void {
    let before: Promise<unknown> = Promise.resolve();
    let underWay = 0;
    from.on('data', (bytes: Buffer) => {
      if (!passes()) return;
      underWay += bytes.length;
      if (underWay > MAX_BYTES_UNDER_WAY) from.pause();
      const waited = this.#latency();
      before = Promise.all([before, waited]).then(async () => {
        await written(to, bytes);
        underWay -= bytes.length;
        if (underWay <= MAX_BYTES_UNDER_WAY) from.resume();
      });
    });
    from.on('end', () => {
      before = Promise.all([before, this.#latency()]).then(() => to.end());
    });
  }

  #latency(): Promise<void> {
    const { state, latencyMs } = this.#network;
    if (state !== 'slow') return Promise.resolve();
    return new Promise((resolve) => this.#options.clock.setTimer(latencyMs, resolve));
  }
}

/** Resolves when the socket has taken the bytes, or is gone: then they are lost, as on a cut cable. */
function written(socket: Socket, bytes: Buffer): Promise<void> {
  if (socket.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    socket.write(bytes, () => resolve());
  });
}

function cut({ agent, gateway }: Connection): void {
  if (!agent.destroyed) agent.resetAndDestroy();
  gateway.destroy();
}
