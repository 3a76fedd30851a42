import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LedgerDatabase } from '@tillbridge/gateway/core/acquirers/internal/ledger-database.js';
import { gatewayFiles } from '@tillbridge/gateway/kernel/data-folder/gateway-files.js';
import { SqliteStore } from '@tillbridge/gateway/kernel/store/sqlite-store.js';
import { SqliteConnection } from '@tillbridge/platform/sqlite/connection.js';
import { type BenchGateway, openBenchGateway } from '../load/bench-gateway.js';
import { type DrainJob, type DrainResult, deviceRowsOf, startDrain } from '../load/drain.js';
import type { BenchRow } from './rows/measure.js';
import { atLeast, atMost, percentile } from './rows/row.js';
import type { BenchSize } from './suites.js';

const RECORDS: Readonly<Record<BenchSize, number>> = { full: 50_000, short: 2_000 };
const DRAINING = 10;
const SELLING = 10;
/** Of each agent: a terminal has at most 500 records that wait together. */
const TERMINALS = 10;
const SALE_EVERY_MS = 250;
const QUIET_MS = 8_000;
/** What the drain shall reach of raw inserts, and what the p99 of live sales may grow to. */
const GOAL = 0.3;
const ALLOWED_TIMES = 2;
/** Records of one raw transaction, and of all of them. */
const RAW_BATCH = 256;
const RAW_RECORDS = 5_120;
/** Tables in which an offline record leaves rows, without the ledger's. */
const TABLES = ['payments', 'intents', 'inbox', 'claims', 'events', 'usedAtcs', 'usedKsns', 'vault'];

/** Each record became one payment. */
async function checkOnce(gateway: BenchGateway, records: number): Promise<void> {
  const database = await SqliteConnection.open(gatewayFiles(gateway.home).database, { access: 'read-only' });
  const sql =
    'SELECT COUNT(*) AS found, COUNT(DISTINCT reference || agentId) AS distinctly FROM payments WHERE offline IS NOT NULL';
  const counts = await database.get<{ found: number; distinctly: number }>(sql);
  await database.close();
  if (counts?.found !== records || counts.distinctly !== records)
    throw new Error(`${records} records became ${JSON.stringify(counts)} payments`);
}

/** Records a second, when the rows that they left are inserted into empty databases, many with one commit. */
async function rawRate(gateway: BenchGateway, records: number): Promise<number> {
  const home = mkdtempSync(join(tmpdir(), 'bench-drain-'));
  const [from, to] = [gatewayFiles(gateway.home), gatewayFiles(home)];
  await (await SqliteStore.open(to.database)).close();
  await (await LedgerDatabase.open(to.acquirerDatabase)).close();
  const count = Math.min(RAW_RECORDS, records);
  const batches: { database: SqliteConnection; inserts: [sql: string, rows: string][] }[] = [];
  const open: SqliteConnection[] = [];
  for (const [source, target, tables] of [
    [from.database, to.database, TABLES],
    [from.acquirerDatabase, to.acquirerDatabase, ['transactions']],
  ] as const) {
    const [reader, database] = [
      await SqliteConnection.open(source, { access: 'read-only' }),
      await SqliteConnection.open(target, { checkpointPages: 4_000 }),
    ];
    await database.exec('PRAGMA foreign_keys = OFF');
    open.push(reader, database);
    const rows = await Promise.all(
      tables.map((table) => reader.all(`SELECT * FROM ${table} LIMIT ${count}`)),
    );
    for (let at = 0; at < count; at += RAW_BATCH) {
      const inserts = tables.map((table, of): [string, string] => {
        const columns = Object.keys(rows[of]?.[0] ?? {});
        const values = columns.map((column) => `value ->> '$.${column}'`);
        const sql = `INSERT INTO ${table} (${columns.join(', ')}) SELECT ${values.join(', ')} FROM json_each(?)`;
        return [sql, JSON.stringify(rows[of]?.slice(at, at + RAW_BATCH) ?? [])];
      });
      batches.push({ database, inserts: inserts.filter(([, json]) => json !== '[]') });
    }
  }
  const startMs = performance.now();
  for (const { database, inserts } of batches)
    await database.transaction(async () => {
      for (const [sql, json] of inserts) await database.run(sql, json);
    });
  const rate = (count * 1_000) / (performance.now() - startMs);
  for (const database of open) await database.close();
  rmSync(home, { recursive: true, force: true });
  return rate;
}

/** Offline records of ten agents that come at once after an outage, compared with raw inserts of their rows, and the live sales of others. */
export async function benchDrain(size: BenchSize): Promise<BenchRow[]> {
  const records = RECORDS[size];
  const gateway = await openBenchGateway({
    agents: DRAINING + SELLING,
    terminals: TERMINALS,
    deviceRows: deviceRowsOf(DRAINING + SELLING, TERMINALS),
  });
  const job: DrainJob = {
    url: gateway.bridgeUrl,
    agents: gateway.fleet.agents,
    draining: DRAINING,
    terminals: TERMINALS,
    records,
    saleEveryMs: SALE_EVERY_MS,
    quietMs: QUIET_MS,
  };
  const child = startDrain(job);
  try {
    const { drainMs, acknowledged, quietMs, concurrentMs } = await child.next<DrainResult>();
    if (acknowledged !== records) throw new Error(`${acknowledged} of ${records} records were approved`);
    await gateway.stop();
    await checkOnce(gateway, records);
    const raw = await rawRate(gateway, records);
    return [
      atLeast(
        `drain: ${records} offline records of ${DRAINING} agents, against raw inserts of their rows`,
        '1/s',
        (records * 1_000) / drainMs,
        raw,
        GOAL,
      ),
      atMost(
        `drain: p99 of live sales meanwhile, against ${ALLOWED_TIMES} x without`,
        'ms',
        percentile(concurrentMs, 0.99),
        ALLOWED_TIMES * percentile(quietMs, 0.99),
      ),
    ];
  } finally {
    await child.end();
    await gateway.end();
  }
}
