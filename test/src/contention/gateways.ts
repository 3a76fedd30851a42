import type { KeyObject } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LedgerStore } from '@tillbridge/gateway/core/acquirers/internal/ledger-store.js';
import { openLedger } from '@tillbridge/gateway/core/acquirers/internal/open-ledger.js';
import { MAX_CHECKOUTS_PER_ADDRESS } from '@tillbridge/gateway/features/checkouts/rules/checkout-limits.js';
import { gatewayFiles, ledgerPlace } from '@tillbridge/gateway/kernel/data-folder/gateway-files.js';
import {
  PostgresStore,
  STORE_SCHEMA_NAME,
} from '@tillbridge/gateway/kernel/store/postgres/postgres-store.js';
import { SqliteStore } from '@tillbridge/gateway/kernel/store/sqlite-store.js';
import type { Store } from '@tillbridge/gateway/kernel/store/store.js';
import {
  newDatabase,
  type PostgresServer,
  startServer,
  stopServer,
} from '@tillbridge/gateway/kernel/store/testing/postgres-server.js';
import { loadKeyFile } from '@tillbridge/gateway/security/keys/key-file.js';
import { GatewayNodes } from '../stack/gateway-nodes.js';
import type { PartProcess } from '../stack/part-process.js';
import { startThreeDSecure } from '../stack/parts.js';

/** Most nodes on one database. */
export const MAX_NODES = 5;

/** Each case has a new merchant, and those of the last second share the places: a single merchant has all of them. */
export const ALL_PLACES: NodeJS.ProcessEnv = { GATEWAY_LIMITS_REQUESTS_AT_WORK: '1024' };

/** Gateways as separate processes, with the servers of 3D Secure and a shop that they call; and what they keep, to look at. */
export interface Gateways {
  /** Of each node. */
  readonly urls: readonly string[];
  /** Where a shop answers every call. */
  readonly shopUrl: string;
  readonly store: Store;
  readonly ledger: LedgerStore;
  /** Of access tokens. */
  readonly tokenKey: KeyObject;
  /** Lines of the nodes' logs about requests that met a fault which is no refusal. */
  faults(): readonly string[];
  /** Ends every process and removes all files. */
  close(): Promise<void>;
}

/**
 * Starts them.
 * @param count of nodes on PostgreSQL; 0: one gateway on SQLite
 * @param env further variables of each
 */
export async function openGateways(count: number, env: NodeJS.ProcessEnv = {}): Promise<Gateways> {
  const folder = mkdtempSync(join(tmpdir(), 'tillbridge-contention-'));
  const database = count === 0 ? undefined : await startDatabase(folder);
  const databaseUrl = database?.url;
  const servers = await startThreeDSecure(0);
  const shop = await openShop();
  const nodes = new GatewayNodes(folder, {
    GATEWAY_RESOLVER_INTERVAL_MS: '500',
    GATEWAY_DIRECTORY_SERVER_URL: String(servers.listening.directoryUrl),
    GATEWAY_EGRESS_ALLOW: '127.0.0.1',
    // All shoppers come from one address.
    GATEWAY_CARD_TESTING_CHECKOUTS_PER_ADDRESS: String(MAX_CHECKOUTS_PER_ADDRESS),
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
    ...env,
  });
  const names = Array.from({ length: Math.max(1, count) }, (_none, at) => String.fromCharCode(97 + at));
  for (const name of names.slice(1)) nodes.add(name);
  const running: PartProcess[] = await Promise.all(names.map((name) => nodes.start(name)));
  const home = nodes.homeOf('a');
  const files = gatewayFiles(home);
  const store =
    databaseUrl === undefined
      ? await SqliteStore.open(files.database)
      : await PostgresStore.open({ url: databaseUrl, schema: STORE_SCHEMA_NAME });
  const ledger = await openLedger(ledgerPlace({ home, ...(databaseUrl !== undefined && { databaseUrl }) }));
  return {
    urls: running.map(({ listening }) => String(listening.url)),
    shopUrl: `http://127.0.0.1:${(shop.address() as AddressInfo).port}/done`,
    store,
    ledger,
    tokenKey: loadKeyFile(files.tokenKey),
    faults: () => names.flatMap((name) => unexpectedFaults(join(nodes.homeOf(name), 'gateway.log'))),
    async close() {
      await Promise.all(running.map((node) => node.stop()));
      await ledger.close();
      await store.close();
      await servers.stop();
      shop.closeAllConnections();
      shop.close();
      if (database) await stopServer(database.server, 'SIGQUIT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function startDatabase(folder: string): Promise<{ server: PostgresServer; url: string }> {
  const server = await startServer(folder);
  return { server, url: await newDatabase(server.url) };
}

/** Takes every call. */
async function openShop(): Promise<Server> {
  const shop = createServer((request, response) => {
    request.resume().on('end', () => response.end());
  });
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
  return shop;
}

function unexpectedFaults(log: string): string[] {
  if (!existsSync(log)) return [];
  return readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => line.includes('unexpected fault in a request'));
}
