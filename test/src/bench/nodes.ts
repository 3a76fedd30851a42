import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { raceReversals } from '@tillbridge/gateway/core/payments/race-reversals.test.support.js';
import {
  newDatabase,
  startServer,
  stopServer,
} from '@tillbridge/gateway/kernel/store/testing/postgres-server.js';
import { NO_THROTTLE, startBenchGateway } from '../load/bench-gateway.js';
import { COMMAND_GOAL_MS, commandLatency } from '../load/command-latency.js';
import { formRequest } from '../load/http-load.js';
import { answeredLoad } from '../load/load-process.js';
import { PAYMENT } from '../load/payment-example.js';
import { GatewayNodes } from '../stack/gateway-nodes.js';
import { type BenchRow, round2 } from './rows/measure.js';
import { atMost } from './rows/row.js';
import type { BenchSize } from './suites.js';

const CONNECTIONS = 64;
const WARM_UP_MS = 2_000;
const SIZES = {
  full: { durationMs: 6_000, sales: 10_000, commands: 200 },
  short: { durationMs: 1_500, sales: 200, commands: 20 },
} as const;

/** One of some merchants that pays at a gateway, with how many connections. */
interface Payer {
  readonly port: number;
  readonly entityId: string;
  readonly token: string;
  readonly connections: number;
}

/** Payments a second of several gateways at once. */
async function paid(payers: readonly Payer[], durationMs: number): Promise<number> {
  const results = await Promise.all(
    payers.map(({ port, entityId, token, connections }) => {
      const requests = [formRequest('/v1/payments', { entityId, ...PAYMENT }, token)];
      return answeredLoad({ port, requests, connections, warmUpMs: WARM_UP_MS, durationMs });
    }),
  );
  return results.reduce((sum, result) => sum + result.perSecond, 0);
}

/** One and two gateways on a PostgreSQL server that flushes every commit, against one on SQLite; then sales against their reversals. */
export async function benchNodes(size: BenchSize): Promise<BenchRow[]> {
  const { durationMs, sales, commands } = SIZES[size];
  const sqlite = await onSqlite(durationMs);
  const folder = mkdtempSync(join(tmpdir(), 'tillbridge-bench-nodes-'));
  const server = await startServer(folder, { settings: ['max_wal_size=4GB'] });
  try {
    const [one, two, commandMs] = await onPostgres(
      folder,
      await newDatabase(server.url),
      durationMs,
      commands,
    );
    const startedMs = performance.now();
    const { charged, differences } = await raceReversals(await newDatabase(server.url), sales);
    const seconds = (performance.now() - startedMs) / 1_000;
    if (charged > 0 || differences.length > 0)
      throw new Error(`${charged} charged although reversed; differences: ${differences.join(', ')}`);
    return [
      row('nodes-one: payments of one gateway on PostgreSQL, against one on SQLite', one, sqlite, 0.3),
      row('nodes-two: payments of two gateways on PostgreSQL, against one', two, one, 1),
      atMost(
        'nodes-command: until an agent at the other node has a command, median',
        'ms',
        commandMs,
        COMMAND_GOAL_MS,
      ),
      row(
        `nodes-races: ${sales} sales against their reversals at two nodes, none charged`,
        sales / seconds,
        1,
        1,
      ),
    ];
  } finally {
    await stopServer(server, 'SIGQUIT');
    rmSync(folder, { recursive: true, force: true });
  }
}

function row(name: string, perSecond: number, baseline: number, goal: number): BenchRow {
  const [value, base] = [Math.round(perSecond), Math.round(baseline)];
  return { name, value, unit: '1/s', baseline: base, ratio: round2(perSecond / baseline), goal };
}

async function onSqlite(durationMs: number): Promise<number> {
  const gateway = await startBenchGateway(NO_THROTTLE);
  const [merchant] = gateway.merchants;
  const payer = { port: gateway.port, connections: CONNECTIONS, ...merchant };
  return paid([payer], durationMs).finally(() => gateway.end());
}

async function onPostgres(
  folder: string,
  databaseUrl: string,
  durationMs: number,
  commands: number,
): Promise<readonly [one: number, two: number, commandMs: number]> {
  const gateways = new GatewayNodes(folder, { ...NO_THROTTLE, DATABASE_URL: databaseUrl });
  gateways.add('b');
  const { entityId, accessToken: token } = gateways.seed.merchant;
  const nodes = [await gateways.start('a')];
  const payers = (): Payer[] =>
    nodes.map(({ listening: { url } }) => {
      const port = Number(new URL(String(url)).port);
      return { port, entityId, token, connections: CONNECTIONS / nodes.length };
    });
  try {
    const one = await paid(payers(), durationMs);
    nodes.push(await gateways.start('b'));
    const two = await paid(payers(), durationMs);
    const [a = '', b = ''] = nodes.map(({ listening: { url } }) => String(url));
    return [one, two, await commandLatency(databaseUrl, [a, b], { ...gateways.seed, commands })];
  } finally {
    await Promise.all(nodes.map((node) => node.stop()));
  }
}
