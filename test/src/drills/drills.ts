import { until } from '../clients/http.js';
import { shownNumber } from '../clients/metrics.js';
import { nextBuild } from '../stack/changed-build.js';
import { Audit } from './audit.js';
import { Cluster, type ClusterOptions, NODES, type NodeName } from './cluster.js';
import type { DiskFiller } from './disk-filler.js';
import { Merchant } from './merchant.js';
import { Repeated } from './repeated.js';
import { ReportedOutcomes, SALE_WITHOUT_ANSWER } from './reported-outcomes.js';
import { StoreAgent } from './store-agent.js';

/** How much the drills are run with. */
export interface DrillSize extends Pick<ClusterOptions, 'agents'> {
  readonly merchants: number;
  /** From the end of a sale of a store, or of an order of a merchant, to its next. */
  readonly storePauseMs: number;
  readonly merchantPauseMs: number;
  /** How long a node is stopped or cut off. */
  readonly awayMs: number;
}

/** How a drill came out. */
export interface DrillResult {
  readonly name: string;
  /** From the loss, or from when the database accepts connections again, until everybody has been served. */
  readonly recoveredMs: number;
  /** What it may take. */
  readonly allowedMs: number;
  /** Requests that brought no outcome, by how they ended, and how many. */
  readonly faults: ReadonlyMap<string, number>;
  /** What was promised and not kept, in words. */
  readonly breaches: readonly string[];
}

/** What a node or the database may take to be made up for, in milliseconds. */
const NODE_LOSS_MS = 5_000;
const DATABASE_RESTART_MS = 10_000;
/** Replacing all nodes is no loss: no request waits for it. */
const ROLLING_MS = 240_000;

const FROZEN_TRIES = 50;
const AGAIN_MS = 30;
const LOOK_MS = 60_000;

/** Three gateways under load, which are struck one way after the other. Each drill ends with all nodes back. */
export class Drills {
  readonly #cluster: Cluster;
  readonly #audit: Audit;
  readonly #size: DrillSize;
  readonly #filler: DiskFiller | undefined;
  readonly #reported = new ReportedOutcomes();
  readonly #stores: readonly StoreAgent[];
  readonly #work: readonly Repeated[];

  private constructor(cluster: Cluster, audit: Audit, size: DrillSize, filler: DiskFiller | undefined) {
    this.#cluster = cluster;
    this.#audit = audit;
    this.#size = size;
    this.#filler = filler;
    const { balancer, pins, agents, gateways } = cluster;
    const { entityId, accessToken: token } = gateways.seed.merchant;
    const reported = this.#reported;
    const { port } = balancer;
    this.#stores = agents.map((agent, number) => new StoreAgent({ agent, number, port, pins, reported }));
    const merchants = Array.from(
      { length: size.merchants },
      (_none, at) => new Merchant({ name: `drill-${at}`, port, entityId, token, reported }),
    );
    this.#work = [
      ...this.#stores.map((store) => new Repeated(size.storePauseMs, () => store.sell())),
      ...merchants.map((merchant) => new Repeated(size.merchantPauseMs, () => merchant.order())),
    ];
  }

  /** Starts cluster and load. @param filler absent: the disk of the database cannot be filled here */
  static async open(size: DrillSize, filler?: DiskFiller): Promise<Drills> {
    const cluster = await Cluster.open({ ...size, serverEnv: filler?.env ?? {} });
    const audit = await Audit.open(cluster.databaseUrl, cluster.gateways.seed.merchant.entityId);
    return new Drills(cluster, audit, size, filler);
  }

  async close(): Promise<void> {
    await Promise.all(this.#stores.map((store) => store.close()));
    await this.#audit.close();
    await this.#cluster.close();
  }

  /** `kill -9` of a node. */
  killNode(): Promise<DrillResult> {
    return this.#drill('a node is killed', NODE_LOSS_MS, async () => {
      await this.#cluster.kill('b');
      const tookMs = await this.#recovered();
      await this.#cluster.start('b');
      return tookMs;
    });
  }

  /** A node stands still in the middle of calls to the acquirer, and comes back. */
  freezeNode(): Promise<DrillResult> {
    return this.#drill('a node is stopped in the middle of a call, and goes on', NODE_LOSS_MS, async () => {
      const { pid } = this.#cluster.node('c');
      const lostBefore = await this.#shown('c', 'tillbridge_gateway_node_leases_lost_total');
      const sinceMs = await this.#stopInACall('c');
      const tookMs = await this.#recovered(sinceMs);
      await passed(sinceMs + this.#size.awayMs);
      process.kill(pid, 'SIGCONT');
      await until('the node to find that it was replaced', LOOK_MS, async () => {
        const times = await this.#shown('c', 'tillbridge_gateway_node_leases_lost_total');
        return times === lostBefore ? undefined : times;
      });
      await this.#recovered();
      return tookMs;
    });
  }

  /** `kill -9` of the database server, and a start. */
  killDatabase(): Promise<DrillResult> {
    return this.#drill('the database is killed and started', DATABASE_RESTART_MS, async () => {
      await this.#cluster.killDatabase();
      await this.#cluster.startDatabase();
      return this.#recovered();
    });
  }

  /** What a node and the database send each other goes nowhere. */
  cutNode(): Promise<DrillResult> {
    return this.#drill('a node is cut from the database', NODE_LOSS_MS, async () => {
      const link = this.#cluster.link('a');
      const sinceMs = performance.now();
      link.cut();
      const tookMs = await this.#recovered(sinceMs);
      await passed(sinceMs + this.#size.awayMs);
      link.heal();
      await until('the node to be ready', LOOK_MS, async () => {
        const { ok } = await fetch(`http://127.0.0.1:${this.#cluster.portOf('a')}/readyz`);
        return ok || undefined;
      });
      await this.#recovered();
      return tookMs;
    });
  }

  /** The disk under the database is full, then has room again. */
  fillDisk(): Promise<DrillResult> {
    return this.#drill('the disk of the database is full, then has room', DATABASE_RESTART_MS, async () => {
      this.#filler?.fill();
      try {
        await until('the database to refuse a commit', LOOK_MS, async () => this.#reported.faults.get('503'));
      } finally {
        this.#filler?.empty();
      }
      // One that could write no log has given up.
      await this.#cluster.startDatabase();
      return this.#recovered();
    });
  }

  /**
   * One node after the other is ended in order, and started with a build that has one more migration. Then one is started with the build of
   * before, which goes on beside the others.
   */
  rollNodes(): Promise<DrillResult> {
    const name = 'all nodes are replaced by a build with one more migration, and one by that of before';
    return this.#drill(name, ROLLING_MS, async () => {
      const build = nextBuild();
      const sinceMs = performance.now();
      try {
        for (const node of NODES) {
          await this.#cluster.stop(node);
          await this.#cluster.start(node, build.program);
          await this.#recovered();
        }
        await this.#cluster.stop('a');
        await this.#cluster.start('a');
        await this.#recovered();
      } finally {
        build.remove();
      }
      const { faults, breaches } = this.#reported;
      for (const fault of faults.keys())
        if (fault !== '503' && fault !== SALE_WITHOUT_ANSWER) breaches.push(`a request came to ${fault}`);
      return performance.now() - sinceMs;
    });
  }

  /** Runs one drill under load; then everything is compared. */
  async #drill(name: string, allowedMs: number, strike: () => Promise<number>): Promise<DrillResult> {
    for (const work of this.#work) work.begin();
    await this.#recovered();
    this.#reported.faults.clear();
    const recoveredMs = await strike();
    await Promise.all(this.#work.map((work) => work.end()));
    const breaches = await this.#audit.differences(this.#reported);
    return { name, recoveredMs, allowedMs, faults: new Map(this.#reported.faults), breaches };
  }

  /** How long it takes until every store and every merchant has an outcome of something begun after a moment. */
  async #recovered(sinceMs = performance.now()): Promise<number> {
    await Promise.all(this.#work.map((work) => work.passed(sinceMs)));
    return performance.now() - sinceMs;
  }

  /** Stops a node while an intent of it is open; gives the time of the stop. */
  async #stopInACall(name: NodeName): Promise<number> {
    const { pid } = this.#cluster.node(name);
    const owner = await this.#idOf(name);
    for (let tries = 0; tries < FROZEN_TRIES; tries += 1) {
      const sinceMs = performance.now();
      process.kill(pid, 'SIGSTOP');
      const open = await this.#audit.store.find('intents', 'state', ['open']);
      if (open.some((intent) => intent.owner === owner)) return sinceMs;
      process.kill(pid, 'SIGCONT');
      await passed(performance.now() + AGAIN_MS);
    }
    throw new Error(`node ${name} was never in the middle of a call`);
  }

  /** The id under which a node owns what it works on. */
  async #idOf(name: NodeName): Promise<string> {
    const text = await (await fetch(`http://127.0.0.1:${this.#cluster.portOf(name)}/metrics`)).text();
    return /^tillbridge_gateway_node_lease_seconds\{node="([0-9a-f]+)"\}/m.exec(text)?.[1] ?? '';
  }

  #shown(name: NodeName, metric: string): Promise<number | undefined> {
    return shownNumber(`http://127.0.0.1:${this.#cluster.portOf(name)}`, metric);
  }
}

/** Resolves at a moment (`performance.now()`). */
function passed(atMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, atMs - performance.now())));
}
