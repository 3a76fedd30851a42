import type { Server, Socket } from 'node:net';
import { connectAs, join, listenForTcp } from './tcp-proxy.js';

/** Times of the health check, in milliseconds. */
const CHECK = { intervalMs: 200, timeoutMs: 1_000 } as const;
/** Checks in a row that stay without an answer before a node is taken for gone. */
const SILENT_CHECKS = 3;

/** What a balancer knows of a node: it takes requests; it refuses them; it does not answer. */
type Health = 'ready' | 'not-ready' | 'gone';

class Target {
  readonly port: number;
  readonly clients = new Set<Socket>();
  health: Health = 'ready';
  isDraining = false;
  #silentChecks = 0;

  constructor(port: number) {
    this.port = port;
  }

  /** Queries whether the node is ready. */
  async check(): Promise<void> {
    try {
      const signal = AbortSignal.timeout(CHECK.timeoutMs);
      const headers = { connection: 'close' };
      const { ok } = await fetch(`http://127.0.0.1:${this.port}/readyz`, { signal, headers });
      this.health = ok ? 'ready' : 'not-ready';
      this.#silentChecks = 0;
    } catch (error) {
      this.#silentChecks += 1;
      const isSlow = (error as Error).name === 'TimeoutError';
      if (!isSlow || this.#silentChecks >= SILENT_CHECKS) this.gone();
    }
  }

  /** Its connections are over: clients that wait for it turn to another one. */
  gone(): void {
    this.health = 'gone';
    for (const client of this.clients) client.resetAndDestroy();
  }
}

/** Takes connections on one port and gives them to the nodes in turn, no client to the same one again. It reads nothing of them. */
export class Balancer {
  readonly port: number;
  readonly #server: Server;
  readonly #targets = new Map<number, Target>();
  readonly #checks: NodeJS.Timeout;
  #turn = 0;

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.port = port;
    this.#checks = setInterval(() => {
      for (const target of this.#targets.values()) void target.check();
    }, CHECK.intervalMs);
  }

  static async open(): Promise<Balancer> {
    const { server, port } = await listenForTcp((client) => void balancer.#take(client));
    const balancer = new Balancer(server, port);
    return balancer;
  }

  /** A node that takes connections. */
  add(port: number): void {
    this.#targets.set(port, new Target(port));
  }

  /** Gives a node no new connections; resolves when its requests have ended, or after a while: sockets of agents stay until it ends. */
  async drain(port: number, limitMs: number): Promise<void> {
    const target = this.#targets.get(port);
    if (!target) return;
    target.isDraining = true;
    const ended = [...target.clients].map((client) => new Promise((resolve) => client.on('close', resolve)));
    const limit = new Promise((resolve) => setTimeout(resolve, limitMs));
    await Promise.race([Promise.all(ended), limit]);
  }

  remove(port: number): void {
    this.#targets.get(port)?.gone();
    this.#targets.delete(port);
  }

  close(): void {
    clearInterval(this.#checks);
    this.#server.close();
    for (const target of this.#targets.values()) target.gone();
  }

  async #take(client: Socket): Promise<void> {
    for (const target of this.#inTurn()) {
      try {
        const upstream = await connectAs(client, target.port);
        target.clients.add(client);
        client.on('close', () => target.clients.delete(client));
        join(client, upstream);
        return;
      } catch {
        target.gone();
      }
    }
    client.resetAndDestroy();
  }

  /** Ready nodes in turn; where none is, those that answer at all. */
  #inTurn(): readonly Target[] {
    this.#turn += 1;
    const open = [...this.#targets.values()].filter(({ isDraining }) => !isDraining);
    const of = (health: Health): readonly Target[] => {
      const like = open.filter((target) => target.health === health);
      const from = like.length === 0 ? 0 : this.#turn % like.length;
      return [...like.slice(from), ...like.slice(0, from)];
    };
    return [...of('ready'), ...of('not-ready'), ...of('gone')];
  }
}
