import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { equalConstantTime } from '@tillbridge/protocol/bytes.js';
import { verifyJournal } from '../chain-verifier.js';
import {
  JOURNAL_LIMITS,
  type JournalHead,
  type JournalRow,
  type KeptSale,
  RESTORED_ROW,
} from '../journal.js';
import { type BuiltRow, buildRows } from '../row-builder.js';
import { SqliteDatabase } from '../sqlite-database.js';
import {
  insertKept,
  insertRow,
  readCursor,
  readLastCheckpoint,
  selectKept,
  selectRows,
  sqliteChainSource,
} from '../sqlite-rows.js';
import { prepareDatabase } from '../sqlite-schema.js';
import type { CopyCipher } from './copy-cipher.js';
import { decodeHome, decodeKept, decodePlace, decodeRow, type HomeRecord } from './copy-records.js';
import type { CopyKind, CopyTarget } from './copy-target.js';

/** The copy cannot be restored; the text tells what is wrong with it. */
export class RestoreError extends Error {
  override readonly name = 'RestoreError';
}

/** What a restore works with. */
export interface RestoreParts {
  readonly source: CopyTarget;
  readonly cipher: CopyCipher;
  /** Where the journal file goes; it must not exist. */
  readonly path: string;
  readonly nowMs: number;
  /** The new generation; default one above the copied one. */
  readonly generation?: number;
  /** Whether a sale has no true end, by what is kept of it and its rows. */
  readonly isOpen: (kept: KeptSale | undefined, rows: readonly JournalRow[]) => boolean;
  readonly progress?: (row: number, of: number) => void;
}

/** What was restored. */
export interface Restored {
  readonly home: HomeRecord;
  /** The new generation. */
  readonly generation: number;
  /** The last row of the copy. */
  readonly copied: JournalHead;
  readonly rows: number;
  readonly keptSales: number;
  readonly openSales: number;
}

/** Entries read at once. */
const PAGE = 500;

/**
 * Reads who the copy belongs to.
 * @throws RestoreError, CopyCipherError, CopyFormatError, CopyUnavailable
 */
export async function readCopiedHome(source: CopyTarget, cipher: CopyCipher): Promise<HomeRecord> {
  const sealed = await source.get('home', 0);
  if (!sealed) throw new RestoreError('there is no copy of a journal here');
  return decodeHome(cipher.open({ kind: 'home', number: 0, name: '' }, sealed));
}

/**
 * Builds a journal file from a copy: the same rows with the same message ids and numbers, verified, and one row more that begins the
 * new generation. The file appears whole or not at all.
 * @throws RestoreError, CopyCipherError, CopyFormatError, CopyUnavailable, JournalUnavailable
 */
export async function restoreJournal(parts: RestoreParts): Promise<Restored> {
  const home = await readCopiedHome(parts.source, parts.cipher);
  const unfinished = `${parts.path}.restoring`;
  removeFile(unfinished);
  const database = await SqliteDatabase.open(unfinished);
  try {
    await prepareDatabase(database, JOURNAL_LIMITS.maxFileBytes);
    const restored = await fill(database, parts, home);
    await database.all('PRAGMA wal_checkpoint(TRUNCATE)');
    await database.close();
    syncPath(unfinished);
    renameSync(unfinished, parts.path);
    syncPath(dirname(parts.path));
    return restored;
  } catch (error) {
    await database.close();
    removeFile(unfinished);
    throw error;
  }
}

async function fill(database: SqliteDatabase, parts: RestoreParts, home: HomeRecord): Promise<Restored> {
  const copied = await copiedHead(parts);
  await database.run('BEGIN IMMEDIATE');
  await insertRows(database, parts, copied);
  const keptSales = await insertWhatWasKept(database, parts);
  await insertBlobs(database, parts);
  const openSales = await markOpenSales(database, parts);
  await check(database, copied, parts.progress);
  const generation = parts.generation ?? home.generation + 1;
  const cursor = await readCursor(database);
  const data = { generation, fromGeneration: home.generation, fromRow: copied.row };
  const restoredRow = { kind: RESTORED_ROW, reference: '', terminalId: '', data };
  for (const row of buildRows(cursor, parts.nowMs, [restoredRow]).rows) await insertRow(database, row);
  await database.run('COMMIT');
  return { home, generation, copied, rows: copied.row - cursor.base.row, keptSales, openSales };
}

async function copiedHead({ source, cipher }: RestoreParts): Promise<JournalHead> {
  const sealed = await source.get('place', 0);
  if (!sealed) throw new RestoreError('the copy was never begun: it holds no row');
  return decodePlace(cipher.open({ kind: 'place', number: 0, name: '' }, sealed)).head;
}

async function insertRows(
  database: SqliteDatabase,
  { source, cipher, progress }: RestoreParts,
  copied: JournalHead,
): Promise<void> {
  let last: BuiltRow | undefined;
  for await (const row of each(source, cipher, 'row', decodeRow)) {
    await insertRow(database, row);
    last = row;
    if (row.row % PAGE === 0) progress?.(row.row, copied.row);
  }
  const ends = last ?? { row: 0, hash: new Uint8Array(32) };
  if (ends.row !== copied.row || !equalConstantTime(ends.hash, copied.hash))
    throw new RestoreError(`the copy says that it goes up to row ${copied.row}, its last row is ${ends.row}`);
}

/** A copy may not have dropped yet what the journal had: its checkpoint says where the restored journal begins. */
async function insertWhatWasKept(
  database: SqliteDatabase,
  { source, cipher }: RestoreParts,
): Promise<number> {
  const checkpoint = await readLastCheckpoint(database);
  if (!checkpoint) return 0;
  await database.run('UPDATE removed SET to_row = ?', checkpoint.base.row);
  await database.run('DELETE FROM rows WHERE row <= ?', checkpoint.base.row);
  let count = 0;
  for await (const entry of each(source, cipher, 'kept', decodeKept)) {
    if (entry.position > checkpoint.kept.position) break;
    await insertKept(database, entry);
    count += 1;
  }
  return count;
}

async function insertBlobs(database: SqliteDatabase, { source, cipher }: RestoreParts): Promise<void> {
  const raw = (bytes: Uint8Array, name: string) => ({ name, bytes });
  for await (const { name, bytes } of each(source, cipher, 'blob', raw)) {
    const settled = await database.get(
      "SELECT 1 AS found FROM rows WHERE settles = ? AND kind = 'acknowledged' LIMIT 1",
      name,
    );
    if (!settled) await database.run('INSERT INTO blobs VALUES (?, ?)', name, bytes);
  }
}

async function markOpenSales(database: SqliteDatabase, { isOpen }: RestoreParts): Promise<number> {
  const references = await database.all("SELECT DISTINCT reference FROM rows WHERE reference <> ''");
  let count = 0;
  for (const { reference } of references) {
    const name = String(reference);
    const [kept] = await selectKept(database, 'reference = ? ORDER BY position DESC LIMIT 1', name);
    if (!isOpen(kept, await selectRows(database, 'reference = ? ORDER BY row', name))) continue;
    await database.run('INSERT INTO open_sales VALUES (?)', name);
    count += 1;
  }
  return count;
}

async function check(
  database: SqliteDatabase,
  copied: JournalHead,
  progress: RestoreParts['progress'],
): Promise<void> {
  const report = await verifyJournal(sqliteChainSource(database), progress);
  if (!report.ok) throw new RestoreError(`the copy is damaged at row ${report.badRow}: ${report.problem}`);
  if (report.rows !== copied.row)
    throw new RestoreError(`the copy ends at row ${report.rows}, not at ${copied.row}`);
}

async function* each<T>(
  source: CopyTarget,
  cipher: CopyCipher,
  kind: CopyKind,
  decode: (bytes: Uint8Array, name: string) => T,
): AsyncGenerator<T> {
  let after = { number: -1, name: '' };
  for (;;) {
    const page = await source.list(kind, after, PAGE);
    for (const entry of page) yield decode(cipher.open(entry, entry.sealed), entry.name);
    const last = page.at(-1);
    if (!last) return;
    after = { number: last.number, name: last.name };
  }
}

function removeFile(path: string): void {
  for (const name of [path, `${path}-wal`, `${path}-shm`, `${path}-journal`]) rmSync(name, { force: true });
}

function syncPath(path: string): void {
  if (process.platform === 'win32') return;
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
