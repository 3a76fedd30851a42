import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  PostgresStore,
  STORE_SCHEMA_NAME,
} from '@tillbridge/gateway/kernel/store/postgres/postgres-store.js';
import {
  newDatabase,
  type PostgresServer,
  type ServerOptions,
  startServer,
  stopServer,
} from '@tillbridge/gateway/kernel/store/testing/postgres-server.js';
import { loadGatewayIdentity } from '@tillbridge/gateway/security/keys/gateway-identity.js';
import { securityFiles } from '@tillbridge/gateway/security/security-files.js';
import type { GatewayPins } from '@tillbridge/wire/bridge/messages.js';
import { NO_THROTTLE } from '../load/bench-gateway.js';
import { deviceRowsOf } from '../load/drain.js';
import type { FleetAgent } from '../load/fleet.js';
import { registerAgents } from '../load/register-agents.js';
import { GatewayNodes } from '../stack/gateway-nodes.js';
import type { PartProcess } from '../stack/part-process.js';
import { Balancer } from './balancer.js';
import { CuttableLink } from './tcp-proxy.js';

/** Names of the nodes; the keys are those of the first one. */
export const NODES = ['a', 'b', 'c'] as const;

/** Name of a node. */
export type NodeName = (typeof NODES)[number];

/** What a cluster is made with. */
export interface ClusterOptions {
  readonly agents: number;
  /** Further variables of the database server. */
  readonly serverEnv?: NodeJS.ProcessEnv;
}

/** Three gateways behind a balancer, on one PostgreSQL server: real processes. Each reaches the server by a separate link. */
export class Cluster {
  readonly balancer: Balancer;
  readonly gateways: GatewayNodes;
  readonly agents: readonly FleetAgent[];
  readonly databaseUrl: string;
  readonly #folder: string;
  readonly #serverOptions: ServerOptions;
  readonly #links: ReadonlyMap<NodeName, CuttableLink>;
  readonly #nodes = new Map<NodeName, PartProcess>();
  #server: PostgresServer;

  private constructor(parts: {
    readonly balancer: Balancer;
    readonly gateways: GatewayNodes;
    readonly agents: readonly FleetAgent[];
    readonly databaseUrl: string;
    readonly folder: string;
    readonly serverOptions: ServerOptions;
    readonly links: ReadonlyMap<NodeName, CuttableLink>;
    readonly server: PostgresServer;
  }) {
    this.balancer = parts.balancer;
    this.gateways = parts.gateways;
    this.agents = parts.agents;
    this.databaseUrl = parts.databaseUrl;
    this.#folder = parts.folder;
    this.#serverOptions = parts.serverOptions;
    this.#links = parts.links;
    this.#server = parts.server;
  }

  /** Starts everything. */
  static async open({ agents: count, serverEnv = {} }: ClusterOptions): Promise<Cluster> {
    const folder = mkdtempSync(join(tmpdir(), 'tillbridge-drills-'));
    // Every commit is flushed: a server that is killed keeps what it has acknowledged.
    const serverOptions = { settings: ['fsync=on'], env: serverEnv };
    const server = await startServer(folder, serverOptions);
    const databaseUrl = await newDatabase(server.url);
    const gateways = new GatewayNodes(folder, {
      ...NO_THROTTLE,
      DATABASE_URL: databaseUrl,
      GATEWAY_RESOLVER_INTERVAL_MS: '500',
    });
    for (const name of NODES.slice(1)) gateways.add(name);
    const links = new Map<NodeName, CuttableLink>();
    for (const name of NODES) links.set(name, await CuttableLink.open(server.port));
    const { entityId } = gateways.seed.merchant;
    const store = await PostgresStore.open({ url: databaseUrl, schema: STORE_SCHEMA_NAME });
    const agents = await registerAgents(store, { entityId, count, terminals: 1 });
    const devices = deviceRowsOf(count, 1).map((row) => ({ ...row, entityId }));
    await store.commit(devices.map((row) => ({ op: 'insert', table: 'devices', row })));
    await store.close();
    const balancer = await Balancer.open();
    const all = { balancer, gateways, agents, databaseUrl, folder, links, server };
    const cluster = new Cluster({ ...all, serverOptions: { ...serverOptions, port: server.port } });
    await Promise.all(NODES.map((name) => cluster.start(name)));
    return cluster;
  }

  /** By what agents know the gateway. */
  get pins(): GatewayPins {
    const { identityKeys } = loadGatewayIdentity(securityFiles(this.gateways.homeOf('a')));
    return { identityKeys: identityKeys.map((key) => Buffer.from(key)), tlsPins: [], authorities: [] };
  }

  /** A node that was started. */
  node(name: NodeName): PartProcess {
    const node = this.#nodes.get(name);
    if (!node) throw new Error(`node ${name} was not started`);
    return node;
  }

  portOf(name: NodeName): number {
    return Number(new URL(String(this.node(name).listening.url)).port);
  }

  /** The way of a node to the database. */
  link(name: NodeName): CuttableLink {
    const link = this.#links.get(name);
    if (!link) throw new Error(`node ${name} has no link`);
    return link;
  }

  /** Starts a node and gives it to the balancer. */
  async start(name: NodeName, program?: string): Promise<void> {
    const url = new URL(this.databaseUrl);
    url.port = String(this.link(name).port);
    const node = await this.gateways.start(name, { program, env: { DATABASE_URL: url.href } });
    this.#nodes.set(name, node);
    this.balancer.add(this.portOf(name));
  }

  /** `kill -9`. */
  async kill(name: NodeName): Promise<void> {
    const port = this.portOf(name);
    await this.node(name).kill();
    this.balancer.remove(port);
  }

  /** Takes a node out of the balancer, then ends it in order. @throws Error where it had to be killed */
  async stop(name: NodeName): Promise<void> {
    const port = this.portOf(name);
    await this.balancer.drain(port, DRAIN_MS);
    const node = this.node(name);
    await node.stop();
    this.balancer.remove(port);
    const how = await node.ended;
    if (how !== 'exit code 0') throw new Error(`node ${name} did not end in order: ${how}`);
  }

  /** Ends the database server as a loss of its machine does. */
  killDatabase(): Promise<void> {
    return stopServer(this.#server, 'SIGKILL');
  }

  /** Starts it again where it has ended; resolves when it accepts connections. */
  async startDatabase(): Promise<void> {
    const { exitCode, signalCode } = this.#server.process;
    if (exitCode === null && signalCode === null) return;
    this.#server = await startServer(this.#folder, this.#serverOptions);
  }

  /** Ends everything that still runs and removes all files. */
  async close(): Promise<void> {
    for (const node of this.#nodes.values()) if (node.running) process.kill(node.pid, 'SIGCONT');
    for (const link of this.#links.values()) link.heal();
    await Promise.all([...this.#nodes.values()].map((node) => node.stop()));
    this.balancer.close();
    for (const link of this.#links.values()) link.close();
    await stopServer(this.#server, 'SIGQUIT');
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** How long requests of a node may take to end before it is made to. */
const DRAIN_MS = 2_000;
