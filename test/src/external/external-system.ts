import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SqliteStore } from '@tillbridge/gateway/store/sqlite-store.js';
import type { Store } from '@tillbridge/gateway/store/store.js';
import type { HostFault } from '@tillbridge/hardware-sim/hosts/acquirer/line/host-faults.js';
import type { TransactionRow } from '@tillbridge/hardware-sim/hosts/acquirer/rows/tables.js';
import { GatewayClient } from '../clients/gateway-client.js';
import { call, json, until } from '../clients/http.js';
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

const run = promisify(execFile);

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
    const seed = await seedGateway(folder, 0);
    const env = gatewayEnv(folder, host);
    await setRoute(folder, seed.merchant.entityId, env);
    return new ExternalSystem(folder, seed, await startGateway(folder, 0, env), host);
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

  /** Sets the faults of the host, in place of those that wait. */
  async strike(faults: readonly (Pick<HostFault, 'name'> & Partial<HostFault>)[]): Promise<void> {
    await call('PUT', `${this.#control}/faults`, json(faults));
  }

  transactions(): Promise<readonly TransactionRow[]> {
    return call<readonly TransactionRow[]>('GET', `${this.#control}/transactions`).then(({ body }) => body);
  }

  /** Closes the settlement day; gives its file. */
  async settlementFile(): Promise<string> {
    const { body } = await call<{ day: string }>('GET', `${this.#control}/status`);
    await call('POST', `${this.#control}/cut-over`);
    return readFileSync(join(this.#folder, 'host', 'settlement', `settlement-${body.day}.csv`), 'utf8');
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
    return this.#withStore(async (store) => compareJournal(store, await this.transactions(), settlementFile));
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

  get #control(): string {
    return (this.#host.listening as { url: string }).url;
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

async function setRoute(folder: string, entityId: string, env: NodeJS.ProcessEnv): Promise<void> {
  const file = join(folder, 'routes.json');
  const merchant = {
    merchantId: 'M1',
    terminalId: 'ECOM0001',
    category: '5411',
    name: 'Corner shop',
    city: 'Berlin',
    country: 'DE',
  };
  writeFileSync(file, JSON.stringify([{ acquirer: 'EXTERNAL', merchant }]));
  const args = ['acquirer', 'routing', entityId, '--routes', file, '--test-mode', 'EXTERNAL'];
  await run(process.execPath, [PROGRAMS.gateway, ...args], { env: { ...process.env, ...env } });
}
