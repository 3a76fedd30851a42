import type { SqliteConnection } from '@tillbridge/platform/sqlite/connection.js';
import type { RowOf } from '@tillbridge/platform/sqlite/table.js';
import { insertSql, valuesOf } from '@tillbridge/platform/sqlite/table-sql.js';
import { type ChainSource, verifyBlobs } from './chain-verifier.js';
import { type BuiltKept, type Checkpoint, readCheckpoint } from './compaction.js';
import { CHAIN_START, verifyChain } from './hash-chain.js';
import {
  CHECKPOINT_ROW,
  type ChainReport,
  CLOSING_ROWS,
  type JournalHead,
  type JournalLeaf,
  type JournalRow,
  JournalUnavailable,
  type JsonObject,
  type OpenMessage,
  PARKED_ROW,
  STREAMS_ROW,
} from './journal.js';
import { type BuiltRow, type Cursor, raise } from './row-builder.js';
import { KEPT, KEPT_MESSAGES, ROWS, type StoredRow } from './tables.js';

/**
 * Reads one row of the table; its data stay as the text that was hashed, too.
 * @throws JournalUnavailable `corrupt` when they are no JSON
 */
function toRow(record: StoredRow): BuiltRow {
  const row = toHashedRow(record);
  if (readJson(row.dataText) !== undefined) return row;
  throw new JournalUnavailable('corrupt', `row ${row.row}: its data are no JSON`);
}

function toHashedRow({ data, messageId, statusOf, blobHash, ...record }: StoredRow): BuiltRow {
  return {
    ...record,
    dataText: data,
    data: readJson<JsonObject>(data) ?? {},
    ...(blobHash && { blobHash }),
    ...(messageId !== null && { messageId }),
    ...(statusOf !== null && { statusOf }),
  };
}

function readJson<T>(text: string): T | undefined {
  try {
    return JSON.parse(text) as T;
  } catch {
    return undefined;
  }
}

const INSERT_ROW = insertSql(ROWS);

/** Inserts a row as it was built. */
export function insertRow(database: SqliteConnection, row: BuiltRow): Promise<void> {
  return database.run(INSERT_ROW, ...valuesOf(ROWS, { ...row, data: row.dataText }));
}

/** Rows that match a condition, oldest first. `condition` is text of this folder, never of a caller's data. */
export async function selectRows(
  database: SqliteConnection,
  condition: string,
  ...values: readonly (string | number)[]
): Promise<readonly JournalRow[]> {
  return (await database.all<StoredRow>(`SELECT * FROM rows WHERE ${condition}`, ...values)).map(toRow);
}

/** Of the rows above `afterRow`, oldest first, what the digest tree is made of: their data are not read. */
export function selectLeaves(
  database: SqliteConnection,
  afterRow: number,
  limit: number,
): Promise<readonly JournalLeaf[]> {
  const page = 'SELECT row, hash, reference FROM rows WHERE row > ? ORDER BY row LIMIT ?';
  return database.all<JournalLeaf & Pick<StoredRow, 'row' | 'hash' | 'reference'>>(page, afterRow, limit);
}

/** The newest checkpoint; `undefined` while nothing was removed. */
export async function readLastCheckpoint(database: SqliteConnection): Promise<Checkpoint | undefined> {
  const [newest] = await selectRows(database, 'kind = ? ORDER BY row DESC LIMIT 1', CHECKPOINT_ROW);
  return newest && readCheckpoint(newest);
}

/** Where the journal stands on disk. */
export async function readCursor(database: SqliteConnection): Promise<Cursor> {
  const last = await database.get<StoredRow>('SELECT * FROM rows ORDER BY row DESC LIMIT 1');
  const checkpoint = await readLastCheckpoint(database);
  const streams = await database.all<{ terminalId: string; highest: number }>(
    'SELECT terminalId, MAX(sequence) AS highest FROM rows WHERE sequence > 0 GROUP BY terminalId',
  );
  const nextSequences = new Map(streams.map((s) => [s.terminalId, s.highest + 1]));
  for (const { data } of await selectRows(database, 'kind = ?', STREAMS_ROW)) raise(nextSequences, data);
  if (checkpoint) raise(nextSequences, checkpoint.streams);
  return {
    head: last ? { row: last.row, hash: last.hash } : CHAIN_START,
    nextSequences,
    base: checkpoint?.base ?? CHAIN_START,
  };
}

/** SQL: nothing has closed the message of this row. */
export const IS_OPEN = `NOT EXISTS (SELECT 1 FROM rows AS later
    WHERE later.statusOf = rows.messageId AND later.kind IN (${CLOSING_ROWS.map((kind) => `'${kind}'`).join(', ')}))`;

/** Stream messages that nothing has closed, each with the row that parked it. */
export async function readOpenMessages(database: SqliteConnection): Promise<readonly OpenMessage[]> {
  const open = `sequence > 0 AND ${IS_OPEN}`;
  const rows = await selectRows(database, `${open} ORDER BY row`);
  const parked = await selectRows(
    database,
    `kind = ? AND statusOf IN (SELECT messageId FROM rows WHERE ${open})`,
    PARKED_ROW,
  );
  const parkedOf = new Map(parked.map((row) => [row.statusOf, row]));
  return rows.map((row) => {
    const by = parkedOf.get(row.messageId);
    return by ? { row, parked: by } : { row };
  });
}

/** Recomputes the chain of the last `count` rows. */
export async function verifyTail(
  database: SqliteConnection,
  cursor: Cursor,
  count: number,
): Promise<ChainReport> {
  const from = cursor.head.row - count;
  if (from <= cursor.base.row) return verifySlice(database, cursor.base, count);
  const record = await database.get<StoredRow>('SELECT * FROM rows WHERE row = ?', from);
  if (!record) return { ok: false, badRow: from, damage: 'missing-row', problem: 'row is missing' };
  return verifySlice(database, { row: from, hash: record.hash }, count);
}

/** Recomputes the chain of at most `count` rows behind `start`, and the hashes of their blobs. */
export async function verifySlice(
  database: SqliteConnection,
  start: JournalHead,
  count: number,
): Promise<ChainReport> {
  const source = sqliteChainSource(database);
  const rows = await source.rows(start.row, count);
  const report = verifyChain(start, rows);
  return report.ok ? ((await verifyBlobs(source, rows)) ?? report) : report;
}

/** The file as a verification reads it. Data that are no JSON any more do not stop it: their hash shows the change. */
export function sqliteChainSource(database: SqliteConnection): ChainSource {
  return {
    checkpoint: () => readLastCheckpoint(database),
    rows: async (afterRow, limit) => {
      const page = 'SELECT * FROM rows WHERE row > ? ORDER BY row LIMIT ?';
      return (await database.all<StoredRow>(page, afterRow, limit)).map(toHashedRow);
    },
    kept: (afterPosition, limit) =>
      selectKept(database, 'position > ? ORDER BY position LIMIT ?', afterPosition, limit),
    blob: async (messageId) => {
      const record = await database.get('SELECT sealed FROM blobs WHERE messageId = ?', messageId);
      if (record) return { sealed: record.sealed as Uint8Array, isClosed: false };
      const closing = await database.get('SELECT 1 AS found FROM rows WHERE statusOf = ? LIMIT 1', messageId);
      return { isClosed: closing !== undefined };
    },
    lastRow: async () => Number((await database.get('SELECT MAX(row) AS last FROM rows'))?.last ?? 0),
  };
}

/** Entries of what was kept that match a condition. `condition` is text of this folder, never of a caller's data. */
export async function selectKept(
  database: SqliteConnection,
  condition: string,
  ...values: readonly (string | number)[]
): Promise<readonly BuiltKept[]> {
  const records = await database.all<RowOf<typeof KEPT>>(`SELECT * FROM kept WHERE ${condition}`, ...values);
  return records.map(({ messageIds, data, ...record }) => ({
    ...record,
    messageIds: readJson<string[]>(messageIds) ?? [],
    dataText: data,
    data: readJson<JsonObject>(data) ?? {},
  }));
}

/** Inserts an entry of what is kept as it was built. */
export async function insertKept(database: SqliteConnection, entry: BuiltKept): Promise<void> {
  const { reference, messageIds, dataText: data } = entry;
  const stored = { ...entry, messageIds: JSON.stringify(messageIds), data };
  await database.run(insertSql(KEPT), ...valuesOf(KEPT, stored));
  for (const messageId of messageIds)
    await database.run(insertSql(KEPT_MESSAGES, 'OR IGNORE '), messageId, reference);
}
