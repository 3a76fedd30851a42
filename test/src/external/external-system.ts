import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SqliteStore } from '@tillbridge/gateway/store/sqlite-store.js';
import type { Store } from '@tillbridge/gateway/store/store.js';
import { AcquirerHostClient } from '../clients/acquirer-host-client.js';
import { GatewayClient } from '../clients/gateway-client.js';
import { call, until } from '../clients/http.js';
import { PROGRAMS, partHome } from '../stack/layout.js';
import { type PartProcess, startPart } from '../stack/part-process.js';
import { type GatewayPart, type Seed, seedGateway, startGateway } from '../stack/parts.js';
import { compareJournal, type Disagreement } from './compare.js';

/** How long an answer of the host may take, in milliseconds: what a test waits for a reversal. */
const ANSWER_TIMEOUT_MS = 2_000;
/** How long everything may take to come to its end. */
const SETTLE_MS = 180_000;
/** No throttle: it is the link that is tried. */
const NO_THROTTLE = Object.fromEntries(
  ['PAYMENTS', 'FOLLOW_UPS', 'READS'].flatMap((name) => [
    [`GATEWAY_THROTTLE_${name}_PER_SECOND`, '1000000'],
    [`GATEWAY_THROTTLE_${name}_BURST`, '1000000'],
  ]),
);

/** A gateway and an acquirer host as processes of their own, over TCP, with a channel of test mode EXTERNAL. */
export class ExternalSystem {
  readonly #folder: string;
  readonly #seed: Seed;
  #gateway: GatewayPart;
  #host: PartProcess;

  private constructor(folder: string, seed: Seed, gateway: GatewayPart, host: PartProcess) {
    this.#folder = folder;
    this.#seed = seed;
    this.#gateway = gateway;
    this.#host = host;
  }

  static async start(): Promise<ExternalSystem> {
    const folder = mkdtempSync(join(tmpdir(), 'tillbridge-external-'));
    mkdirSync(partHome(folder, 'gateway'), { mode: 0o700 });
    const host = await startHost(folder, '0', '0');
    const seed = await seedGateway(folder, 0, 'EXTERNAL');
    return new ExternalSystem(folder, seed, await startGateway(folder, 0, gatewayEnv(folder, host)), host);
  }

  /** Resolves when the gateway answers, or does again. */
  async isUp(): Promise<void> {
    await until('the gateway', SETTLE_MS, async () => {
      const { status } = await call('GET', `${this.#gateway.url}/healthz`);
      return status === 200 ? true : undefined;
    });
  }

  get client(): GatewayClient {
    return new GatewayClient(this.#gateway.url, this.#seed.merchant);
  }

  get host(): AcquirerHostClient {
    return new AcquirerHostClient((this.#host.listening as { url: string }).url);
  }

  /** `kill -9`, and started again at the same port. */
  async restartGateway(): Promise<void> {
    await this.#gateway.process.kill();
    const { port } = new URL(this.#gateway.url);
    this.#gateway = await startGateway(this.#folder, Number(port), gatewayEnv(this.#folder, this.#host));
  }

  /** `kill -9`, and started again at the same ports. */
  async restartHost(): Promise<void> {
    const { address, url } = this.#host.listening as { address: string; url: string };
    await this.#host.kill();
    this.#host = await startHost(this.#folder, address.split(':').at(-1) ?? '0', new URL(url).port);
  }

  /** Closes the settlement day; gives its file. */
  async settlementFile(): Promise<string> {
    const { day } = await this.host.status();
    await this.host.cutOver();
    return readFileSync(join(this.#folder, 'host', 'settlement', `settlement-${day}.csv`), 'utf8');
  }

  /**
   * Waits until nothing is open and the gateway has compared the totals of the day, ends it, and compares its payments, its journal, the host's
   * totals, its ledger and its settlement file.
   */
  async compare(): Promise<Disagreement> {
    await until('an outcome of everything', SETTLE_MS, () =>
      this.#withStore(async (store) => {
        const open = await Promise.all([
          store.find('intents', 'state', ['open'], { limit: 1 }),
          store.find('linkExchanges', 'state', ['EXTERNAL', 'reversing'], { limit: 1 }),
        ]);
        return open.every((rows) => rows.length === 0) ? true : undefined;
      }),
    );
    const settlementFile = await this.settlementFile();
    await until('totals of the day', SETTLE_MS, () =>
      this.#withStore(async (store) => {
        const totals = await store.findAfter('linkTotals', undefined);
        return totals.length > 0 && totals.every(({ state }) => state !== 'due') ? true : undefined;
      }),
    );
    await this.#gateway.process.stop();
    return this.#withStore(async (store) =>
      compareJournal(store, await this.host.transactions(), settlementFile),
    );
  }

  async end(): Promise<void> {
    await this.#gateway.process.stop();
    await this.#host.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Reads the database of the gateway. */
  async #withStore<T>(work: (store: Store) => Promise<T>): Promise<T> {
    const store = await SqliteStore.open(join(partHome(this.#folder, 'gateway'), 'gateway.db'));
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  }
}

function startHost(folder: string, port: string, controlPort: string): Promise<PartProcess> {
  return startPart({
    name: 'acquirerHost',
    args: [PROGRAMS.simulator, 'acquirer-host'],
    env: {
      SIM_ACQUIRER_HOME: join(folder, 'host'),
      HOST_PORT: port,
      SIM_ACQUIRER_CONTROL_PORT: controlPort,
      SIM_LOG_LEVEL: 'error',
    },
  });
}

function gatewayEnv(folder: string, { listening }: PartProcess): NodeJS.ProcessEnv {
  const { address } = listening as { address: string };
  const acquirer = { name: 'EXTERNAL', hosts: address, answerTimeoutMs: ANSWER_TIMEOUT_MS, connections: 4 };
  return {
    ...NO_THROTTLE,
    GATEWAY_HOME: partHome(folder, 'gateway'),
    GATEWAY_ACQUIRERS: JSON.stringify([acquirer]),
    GATEWAY_RESOLVER_INTERVAL_MS: '250',
    GATEWAY_LOG_LEVEL: 'error',
  };
}
