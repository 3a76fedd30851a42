import { renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { SqliteConnection } from '@tillbridge/platform/sqlite/connection.js';
import { insertSql } from '@tillbridge/platform/sqlite/table-sql.js';
import { syncPath } from '@tillbridge/platform/write-file.js';
import { equalConstantTime } from '@tillbridge/wire/bytes.js';
import { verifyJournal } from '../chain-verifier.js';
import type { BuiltKept } from '../compaction.js';
import { type CrashPoint, dieAt } from '../crash-point.js';
import { CHAIN_START } from '../hash-chain.js';
import {
  type CompactedSale,
  JOURNAL_LIMITS,
  type JournalHead,
  type JournalRow,
  type NewRow,
  noSaleRow,
  RESTORED_ROW,
} from '../journal.js';
import { openDatabase } from '../open-database.js';
import { type BuiltRow, buildRows } from '../row-builder.js';
import {
  IS_OPEN,
  insertKept,
  insertRow,
  readCursor,
  readLastCheckpoint,
  selectKept,
  selectRows,
  sqliteChainSource,
} from '../sqlite-rows.js';
import { openJournalDatabase } from '../sqlite-schema.js';
import { BLOBS, OPEN_SALES } from '../tables.js';
import { rebuiltPath } from './take-place.js';

/** The copy cannot be restored; the text states what is wrong with it. */
export class RestoreError extends Error {
  override readonly name = 'RestoreError';
}

/** Where a journal is restored from: its rows in order, without a gap, and what belongs to them. */
export interface RestoreSource {
  /** The last row that must be there; absent: no row is required. */
  readonly head?: JournalHead;
  /** The generation that wrote it. */
  readonly generation: number;
  /** Known behind the rows: why they end before their end, perhaps in the middle of a write; absent: they do not. */
  readonly ended?: string | undefined;
  rows(): AsyncIterable<BuiltRow>;
  kept(): AsyncIterable<BuiltKept>;
  blobs(): AsyncIterable<{ readonly messageId: string; readonly sealed: Uint8Array }>;
}

/** What a restore works with. */
interface RestoreDeps {
  readonly source: RestoreSource;
  /** Path of the journal; it is built in the same folder. */
  readonly path: string;
  readonly nowMs: number;
  /** The new generation; default one above the one that is restored. */
  readonly generation?: number;
  /** Whether a sale has no true end, by what is kept of it and its rows (`isCut`: perhaps not all of its last write), and the row that its restoration adds, if any. */
  readonly judge: (
    kept: CompactedSale | undefined,
    rows: readonly JournalRow[],
    isCut: boolean,
  ) => { readonly isOpen: boolean; readonly doubt?: NewRow };
  readonly progress?: (row: number, of: number) => void;
  /** For tests that kill the process. */
  readonly crashAt?: CrashPoint;
}

/** What was restored. */
export interface Restored {
  /** The new generation. */
  readonly generation: number;
  /** The last row that came from the source. */
  readonly from: JournalHead;
  readonly rows: number;
  readonly keptSales: number;
  readonly openSales: number;
  /** Sales of which the last rows may be missing: a person has to state how they ended. */
  readonly inDoubt: readonly string[];
}

/** Rows between two words about the progress. */
const PROGRESS_ROWS = 500;

/**
 * Builds a journal file: the same rows with the same message ids and numbers, verified, and one row more that begins the
 * new generation. The file appears whole or not at all, in the folder of the one that it will replace (take-place.ts).
 * @throws RestoreError, CopyCipherError, CopyFormatError, CopyUnavailable, JournalUnavailable
 */
export async function restoreJournal(deps: RestoreDeps): Promise<Restored> {
  const { crashAt } = deps;
  const built = rebuiltPath(deps.path);
  const unfinished = `${deps.path}.restoring`;
  removeFile(unfinished);
  const database = await openJournalDatabase(unfinished, JOURNAL_LIMITS.maxFileBytes);
  try {
    const restored = await fill(database, deps);
    await database.all('PRAGMA wal_checkpoint(TRUNCATE)');
    await database.close();
    syncPath(unfinished);
    dieAt(crashAt, 'restore-built', 'before');
    renameSync(unfinished, built);
    syncPath(dirname(built));
    dieAt(crashAt, 'restore-built', 'after');
    return restored;
  } catch (error) {
    await database.close();
    removeFile(unfinished);
    throw error;
  }
}

/** The generation that a built journal begins. @throws RestoreError, JournalUnavailable */
export async function builtGeneration(path: string): Promise<number> {
  const database = await openDatabase(rebuiltPath(path), { access: 'read-only' });
  try {
    const [row] = await selectRows(database, 'kind = ? ORDER BY row DESC LIMIT 1', RESTORED_ROW);
    const generation = row?.data.generation;
    if (typeof generation === 'number') return generation;
    throw new RestoreError(`${rebuiltPath(path)} is no restored journal`);
  } finally {
    await database.close();
  }
}

async function fill(database: SqliteConnection, deps: RestoreDeps): Promise<Restored> {
  const { source, nowMs } = deps;
  const restored = await database.transaction(async () => {
    const from = await insertRows(database, deps);
    const keptSales = await insertCompactedSales(database, source);
    await insertBlobs(database, source);
    const { openSales, doubts } = await judgeSales(database, deps);
    await check(database, from, deps.progress);
    const generation = deps.generation ?? source.generation + 1;
    const cursor = await readCursor(database);
    const data = { generation, fromGeneration: source.generation, fromRow: from.row };
    const restoredRow = noSaleRow(RESTORED_ROW, data);
    for (const row of buildRows(cursor, nowMs, [restoredRow, ...doubts]).rows) await insertRow(database, row);
    dieAt(deps.crashAt, 'restore-filled', 'before');
    const inDoubt = doubts.map(({ reference }) => reference);
    return { generation, from, rows: from.row - cursor.base.row, keptSales, openSales, inDoubt };
  });
  dieAt(deps.crashAt, 'restore-filled', 'after');
  return restored;
}

async function insertRows(
  database: SqliteConnection,
  { source, progress }: RestoreDeps,
): Promise<JournalHead> {
  let last = CHAIN_START;
  for await (const row of source.rows()) {
    await insertRow(database, row);
    last = { row: row.row, hash: row.hash };
    if (row.row % PROGRESS_ROWS === 0) progress?.(row.row, source.head?.row ?? row.row);
  }
  const { head = last } = source;
  if (last.row !== head.row || !equalConstantTime(last.hash, head.hash))
    throw new RestoreError(`the copy states row ${head.row} as its last, but ends with row ${last.row}`);
  return last;
}

/** A copy may still hold rows that the journal had compacted: its checkpoint is where the restored journal begins. */
async function insertCompactedSales(database: SqliteConnection, source: RestoreSource): Promise<number> {
  const checkpoint = await readLastCheckpoint(database);
  if (!checkpoint) return 0;
  await database.run('UPDATE removed SET toRow = ?', checkpoint.base.row);
  await database.run('DELETE FROM rows WHERE row <= ?', checkpoint.base.row);
  let count = 0;
  for await (const entry of source.kept()) {
    if (entry.position > checkpoint.kept.position) break;
    await insertKept(database, entry);
    count += 1;
  }
  return count;
}

async function insertBlobs(database: SqliteConnection, source: RestoreSource): Promise<void> {
  for await (const { messageId, sealed } of source.blobs()) {
    const isNeeded = await database.get(
      `SELECT 1 AS found FROM rows WHERE messageId = ? AND ${IS_OPEN}`,
      messageId,
    );
    if (isNeeded) await database.run(insertSql(BLOBS), messageId, sealed);
  }
}

async function judgeSales(
  database: SqliteConnection,
  { judge, source }: RestoreDeps,
): Promise<{ readonly openSales: number; readonly doubts: readonly NewRow[] }> {
  const references = await database.all(
    "SELECT reference FROM rows WHERE reference <> '' GROUP BY reference ORDER BY MIN(row)",
  );
  const [end] =
    source.ended === undefined ? [] : await selectRows(database, 'TRUE ORDER BY row DESC LIMIT 1');
  const doubts: NewRow[] = [];
  let openSales = 0;
  for (const { reference } of references) {
    const name = String(reference);
    const [kept] = await selectKept(database, 'reference = ? ORDER BY position DESC LIMIT 1', name);
    const rows = await selectRows(database, 'reference = ? ORDER BY row', name);
    const found = judge(kept, rows, end?.reference === name);
    if (found.doubt) doubts.push(found.doubt);
    if (!found.isOpen) continue;
    await database.run(insertSql(OPEN_SALES), name);
    if (!found.doubt) openSales += 1;
  }
  return { openSales, doubts };
}

async function check(
  database: SqliteConnection,
  from: JournalHead,
  progress: RestoreDeps['progress'],
): Promise<void> {
  const report = await verifyJournal(sqliteChainSource(database), progress);
  if (!report.ok)
    throw new RestoreError(`what was restored is damaged at row ${report.badRow}: ${report.problem}`);
  if (report.rows !== from.row)
    throw new RestoreError(`the copy ends at row ${report.rows}, not at ${from.row}`);
}

function removeFile(path: string): void {
  for (const name of [path, `${path}-wal`, `${path}-shm`, `${path}-journal`]) rmSync(name, { force: true });
}
