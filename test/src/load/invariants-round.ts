import { fileURLToPath } from 'node:url';
import { InvariantCheck } from '@tillbridge/gateway/app/ledger-check/invariant-check.js';
import { LedgerDatabase } from '@tillbridge/gateway/core/acquirers/internal/ledger-database.js';
import { ledgerRecord } from '@tillbridge/gateway/core/acquirers/internal/ledger-record.js';
import { gatewayFiles } from '@tillbridge/gateway/kernel/data-folder/gateway-files.js';
import { SqliteStore } from '@tillbridge/gateway/kernel/store/sqlite-store.js';
import { SqliteConnection } from '@tillbridge/platform/sqlite/connection.js';
import { systemClock as clock } from '@tillbridge/platform/system-clock.js';
import { BenchChild } from './child.js';

/** What is measured in the home of a gateway that is stopped. */
interface RoundJob {
  readonly home: string;
  /** Payments that it has: a round judges as many entries of the acquirer at least. */
  readonly count: number;
  /** How long the check runs at its own pace. */
  readonly pacedMs: number;
}

/** Times in milliseconds; `cpu` are those of all threads. */
export interface RoundResult {
  readonly raw: { readonly ms: number; readonly cpuMs: number };
  readonly round: { readonly ms: number; readonly cpuMs: number };
  /** The share of a core that the check takes at its own pace. */
  readonly share: number;
  readonly differences: number;
}

/** Measures a round in a separate process. */
export function startRound(job: RoundJob): BenchChild {
  return BenchChild.start(SCRIPT, job);
}

/** Rows of one page of the raw read. */
const PAGE = 1_000;

async function timed(work: () => Promise<unknown>): Promise<{ ms: number; cpuMs: number }> {
  const [startMs, before] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(before);
  return { ms: performance.now() - startMs, cpuMs: (user + system) / 1_000 };
}

/** Reads a table once, page by page, in the order of its key. */
async function readTable(file: string, table: string, key: string): Promise<void> {
  const database = await SqliteConnection.open(file, { access: 'read-only' });
  const sql = `SELECT * FROM ${table} WHERE (${key}) > (${key.replace(/\w+/g, '?')}) ORDER BY ${key} LIMIT ${PAGE}`;
  const columns = key.split(', ');
  let after: (string | number)[] = columns.map(() => (key === 'position' ? 0 : ''));
  for (;;) {
    const page = await database.all(sql, ...after);
    const last = page.at(-1);
    if (last) after = columns.map((column) => last[column] as string | number);
    if (page.length < PAGE) break;
  }
  await database.close();
}

async function measure({ home, count, pacedMs }: RoundJob): Promise<RoundResult> {
  const files = gatewayFiles(home);
  const readAll = async (): Promise<void> => {
    await readTable(files.database, 'payments', 'id');
    await readTable(files.database, 'intents', 'id');
    await readTable(files.database, 'inbox', 'agentId, messageId');
    await readTable(files.acquirerDatabase, 'transactions', 'position');
  };
  // Once for the page cache of the system, so that both sides read from memory.
  await readAll();
  const raw = await timed(readAll);
  const store = await SqliteStore.open(files.database);
  const ledger = await LedgerDatabase.open(files.acquirerDatabase);
  const log = { warn: () => undefined, error: () => undefined };
  let judged = 0;
  const shown = ledgerRecord(ledger);
  const record: typeof shown = {
    ...shown,
    entriesAfter: async (after, limit) => {
      const page = await shown.entriesAfter(after, limit);
      judged += page.length;
      return page;
    },
  };
  const parts = { store, records: [record], clock, log };
  const check = new InvariantCheck(parts);
  const round = await timed(() => check.full());
  if (judged < count) throw new Error(`${judged} entries of ${count} payments were judged`);
  const paced = new InvariantCheck(parts);
  const { cpuMs, ms } = await timed(async () => {
    paced.start();
    await new Promise((resolve) => setTimeout(resolve, pacedMs));
    await paced.stop();
  });
  await store.close();
  await ledger.close();
  return { raw, round, share: cpuMs / ms, differences: check.known.list().length };
}

const SCRIPT = fileURLToPath(import.meta.url);

if (process.argv[1] === SCRIPT)
  process.once('message', async (job: RoundJob) => process.send?.(await measure(job)));
