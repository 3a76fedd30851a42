import { CHAIN_START, verifyChain } from './hash-chain.js';
import {
  ACKNOWLEDGED_ROW,
  type ChainReport,
  type JournalHead,
  type JournalRow,
  type JsonObject,
  type OpenMessage,
  PARKED_ROW,
} from './journal.js';
import type { BuiltRow, Cursor } from './row-builder.js';
import type { SqliteDatabase, SqlRow } from './sqlite-database.js';

/** Rows read at once while the whole chain is verified. */
const VERIFY_PAGE = 1_000;

/** Reads one row of the table; its data stay as the text that was hashed, too. */
function toRow(record: SqlRow): BuiltRow {
  const dataText = String(record.data);
  return {
    row: Number(record.row),
    atMs: Number(record.at_ms),
    kind: String(record.kind),
    reference: String(record.reference),
    terminalId: String(record.terminal_id),
    sequence: Number(record.sequence),
    dataText,
    data: JSON.parse(dataText) as JsonObject,
    hash: record.hash as Uint8Array,
    ...(record.message_id === null ? {} : { messageId: String(record.message_id) }),
    ...(record.settles === null ? {} : { settles: String(record.settles) }),
  };
}

/** Inserts a row as it was built. */
export function insertRow(database: SqliteDatabase, row: BuiltRow): Promise<void> {
  return database.run(
    `INSERT INTO rows (row, at_ms, kind, reference, terminal_id, message_id, sequence, settles, data, hash)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
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

/** Where the journal stands on disk. */
export async function readCursor(database: SqliteDatabase): Promise<Cursor> {
  const last = await database.get('SELECT * FROM rows ORDER BY row DESC LIMIT 1');
  const streams = await database.all(
    'SELECT terminal_id, MAX(sequence) AS highest FROM rows WHERE sequence > 0 GROUP BY terminal_id',
  );
  return {
    head: last ? toRow(last) : CHAIN_START,
    nextSequences: new Map(streams.map((s) => [String(s.terminal_id), Number(s.highest) + 1])),
  };
}

/** Stream messages without an acknowledgement, each with the row that parked it. */
export async function readOpenMessages(database: SqliteDatabase): Promise<readonly OpenMessage[]> {
  const open = `sequence > 0 AND NOT EXISTS
    (SELECT 1 FROM rows AS later WHERE later.settles = rows.message_id AND later.kind = ?)`;
  const rows = await selectRows(database, `${open} ORDER BY row`, ACKNOWLEDGED_ROW);
  const parked = await selectRows(
    database,
    `kind = ? AND settles IN (SELECT message_id FROM rows WHERE ${open})`,
    PARKED_ROW,
    ACKNOWLEDGED_ROW,
  );
  const parkedOf = new Map(parked.map((row) => [row.settles, row]));
  return rows.map((row) => {
    const by = parkedOf.get(row.messageId);
    return by ? { row, parked: by } : { row };
  });
}

/** Recomputes the chain from the row behind `from` to the end. */
export async function verifyFrom(database: SqliteDatabase, from: number): Promise<ChainReport> {
  let start: JournalHead = CHAIN_START;
  if (from > 0) {
    const record = await database.get('SELECT * FROM rows WHERE row = ?', from);
    if (!record) return { ok: false, badRow: from, problem: 'row is missing' };
    start = toRow(record);
  }
  for (;;) {
    const page = await database.all(
      'SELECT * FROM rows WHERE row > ? ORDER BY row LIMIT ?',
      start.row,
      VERIFY_PAGE,
    );
    const report = verifyChain(start, page.map(toRow));
    if (!report.ok || page.length === 0) return report;
    start = { row: report.rows, hash: report.head };
  }
}
