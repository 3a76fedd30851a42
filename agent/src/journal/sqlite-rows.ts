import { type ChainSource, verifyBlobs } from './chain-verifier.js';
import { type BuiltKept, type Checkpoint, readCheckpoint } from './compaction.js';
import { CHAIN_START, verifyChain } from './hash-chain.js';
import {
  CHECKPOINT_ROW,
  type ChainReport,
  CLOSING_ROWS,
  type JournalHead,
  type JournalRow,
  JournalUnavailable,
  type JsonObject,
  type OpenMessage,
  PARKED_ROW,
  STREAMS_ROW,
} from './journal.js';
import { type BuiltRow, type Cursor, raise } from './row-builder.js';
import type { Statements } from './sql-script.js';
import type { SqliteDatabase, SqlRow } from './sqlite-database.js';

/**
 * Reads one row of the table; its data stay as the text that was hashed, too.
 * @throws JournalUnavailable `corrupt` when they are no JSON
 */
function toRow(record: SqlRow): BuiltRow {
  const row = toHashedRow(record);
  if (readJson(row.dataText) !== undefined) return row;
  throw new JournalUnavailable('corrupt', `row ${row.row}: its data are no JSON`);
}

function toHashedRow(record: SqlRow): BuiltRow {
  const dataText = String(record.data);
  return {
    row: Number(record.row),
    atMs: Number(record.at_ms),
    kind: String(record.kind),
    reference: String(record.reference),
    terminalId: String(record.terminal_id),
    sequence: Number(record.sequence),
    dataText,
    data: readJson<JsonObject>(dataText) ?? {},
    hash: record.hash as Uint8Array,
    ...(record.blob_hash ? { blobHash: record.blob_hash as Uint8Array } : {}),
    ...(record.message_id === null ? {} : { messageId: String(record.message_id) }),
    ...(record.settles === null ? {} : { settles: String(record.settles) }),
  };
}

function readJson<T>(text: string): T | undefined {
  try {
    return JSON.parse(text) as T;
  } catch {
    return undefined;
  }
}

/** Inserts a row as it was built. */
export function insertRow(statements: Statements, row: BuiltRow): Promise<void> {
  return statements.run(
    `INSERT INTO rows (row, at_ms, kind, reference, terminal_id, message_id, sequence, settles, data, hash, blob_hash)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    row.row,
    row.atMs,
    row.kind,
    row.reference,
    row.terminalId,
    row.messageId ?? null,
    row.sequence,
    row.settles ?? null,
    row.dataText,
    row.hash,
    row.blobHash ?? null,
  );
}

/** Rows that match a condition, oldest first. `condition` is text of this folder, never of a caller's data. */
export async function selectRows(
  database: SqliteDatabase,
  condition: string,
  ...values: readonly (string | number)[]
): Promise<readonly JournalRow[]> {
  return (await database.all(`SELECT * FROM rows WHERE ${condition}`, ...values)).map(toRow);
}

/** The newest checkpoint; `undefined` while nothing was removed. */
export async function readLastCheckpoint(database: SqliteDatabase): Promise<Checkpoint | undefined> {
  const record = await database.get(
    'SELECT * FROM rows WHERE kind = ? ORDER BY row DESC LIMIT 1',
    CHECKPOINT_ROW,
  );
  return record && readCheckpoint(toRow(record));
}

/** Where the journal stands on disk. */
export async function readCursor(database: SqliteDatabase): Promise<Cursor> {
  const last = await database.get('SELECT * FROM rows ORDER BY row DESC LIMIT 1');
  const checkpoint = await readLastCheckpoint(database);
  const streams = await database.all(
    'SELECT terminal_id, MAX(sequence) AS highest FROM rows WHERE sequence > 0 GROUP BY terminal_id',
  );
  const nextSequences = new Map(streams.map((s) => [String(s.terminal_id), Number(s.highest) + 1]));
  for (const { data } of await selectRows(database, 'kind = ?', STREAMS_ROW)) raise(nextSequences, data);
  if (checkpoint) raise(nextSequences, checkpoint.streams);
  return {
    head: last ? { row: Number(last.row), hash: last.hash as Uint8Array } : CHAIN_START,
    nextSequences,
    base: checkpoint?.base ?? CHAIN_START,
  };
}

/** SQL: nothing has closed the message of this row. */
export const IS_OPEN = `NOT EXISTS (SELECT 1 FROM rows AS later
    WHERE later.settles = rows.message_id AND later.kind IN (${CLOSING_ROWS.map((kind) => `'${kind}'`).join(', ')}))`;

/** Stream messages that nothing has closed, each with the row that parked it. */
export async function readOpenMessages(database: SqliteDatabase): Promise<readonly OpenMessage[]> {
  const open = `sequence > 0 AND ${IS_OPEN}`;
  const rows = await selectRows(database, `${open} ORDER BY row`);
  const parked = await selectRows(
    database,
    `kind = ? AND settles IN (SELECT message_id FROM rows WHERE ${open})`,
    PARKED_ROW,
  );
  const parkedOf = new Map(parked.map((row) => [row.settles, row]));
  return rows.map((row) => {
    const by = parkedOf.get(row.messageId);
    return by ? { row, parked: by } : { row };
  });
}

/** Recomputes the chain of the last `count` rows. */
export async function verifyTail(
  database: SqliteDatabase,
  cursor: Cursor,
  count: number,
): Promise<ChainReport> {
  const from = cursor.head.row - count;
  if (from <= cursor.base.row) return verifySlice(database, cursor.base, count);
  const record = await database.get('SELECT * FROM rows WHERE row = ?', from);
  if (!record) return { ok: false, badRow: from, damage: 'missing-row', problem: 'row is missing' };
  return verifySlice(database, { row: from, hash: record.hash as Uint8Array }, count);
}

/** Recomputes the chain of at most `count` rows behind `start`, and the hashes of their blobs. */
export async function verifySlice(
  database: SqliteDatabase,
  start: JournalHead,
  count: number,
): Promise<ChainReport> {
  const source = sqliteChainSource(database);
  const rows = await source.rows(start.row, count);
  const report = verifyChain(start, rows);
  return report.ok ? ((await verifyBlobs(source, rows)) ?? report) : report;
}

/** The file as a verification reads it. Data that are no JSON any more do not stop it: their hash tells. */
export function sqliteChainSource(database: SqliteDatabase): ChainSource {
  return {
    checkpoint: () => readLastCheckpoint(database),
    rows: async (afterRow, limit) => {
      const page = 'SELECT * FROM rows WHERE row > ? ORDER BY row LIMIT ?';
      return (await database.all(page, afterRow, limit)).map(toHashedRow);
    },
    kept: (afterPosition, limit) =>
      selectKept(database, 'position > ? ORDER BY position LIMIT ?', afterPosition, limit),
    blob: async (messageId) => {
      const record = await database.get('SELECT sealed FROM blobs WHERE message_id = ?', messageId);
      if (record) return { sealed: record.sealed as Uint8Array, isSettled: false };
      const settled = await database.get('SELECT 1 AS found FROM rows WHERE settles = ? LIMIT 1', messageId);
      return { isSettled: settled !== undefined };
    },
    lastRow: async () => Number((await database.get('SELECT MAX(row) AS last FROM rows'))?.last ?? 0),
  };
}

/** Entries of what was kept that match a condition. `condition` is text of this folder, never of a caller's data. */
export async function selectKept(
  database: SqliteDatabase,
  condition: string,
  ...values: readonly (string | number)[]
): Promise<readonly BuiltKept[]> {
  const records = await database.all(`SELECT * FROM kept WHERE ${condition}`, ...values);
  return records.map((record) => {
    const dataText = String(record.data);
    return {
      position: Number(record.position),
      reference: String(record.reference),
      messageIds: readJson<string[]>(String(record.message_ids)) ?? [],
      dataText,
      data: readJson<JsonObject>(dataText) ?? {},
      hash: record.hash as Uint8Array,
    };
  });
}

/** Inserts an entry of what is kept as it was built. */
export async function insertKept(database: SqliteDatabase, entry: BuiltKept): Promise<void> {
  const { position, reference, messageIds, dataText, hash } = entry;
  await database.run(
    'INSERT INTO kept (position, reference, message_ids, data, hash) VALUES (?, ?, ?, ?, ?)',
    position,
    reference,
    JSON.stringify(messageIds),
    dataText,
    hash,
  );
  for (const messageId of messageIds) {
    await database.run('INSERT OR IGNORE INTO kept_messages VALUES (?, ?)', messageId, reference);
  }
}
