import type { SqliteConnection } from '@tillbridge/platform/sqlite/connection.js';
import type { RowOf } from '@tillbridge/platform/sqlite/table.js';
import { type CompactionSituation, carriedRow, planCompaction } from './compaction.js';
import { KEPT_START } from './hash-chain.js';
import {
  type CompactedSale,
  type Compaction,
  type CompactionResult,
  JOURNAL_LIMITS,
  type JournalPart,
  type JournalRow,
} from './journal.js';
import { type BuiltRow, buildRows, type Cursor } from './row-builder.js';
import { IS_OPEN, insertKept, insertRow, readLastCheckpoint, selectKept, selectRows } from './sqlite-rows.js';
import type { BLOBS } from './tables.js';

/** What a step of a compaction wrote, and where the journal stands behind it. */
interface Compacted {
  readonly rows: readonly BuiltRow[];
  readonly cursor: Cursor;
  readonly result: CompactionResult;
}

/** Carries out one step of a compaction inside the transaction that is open. */
export async function compactIn(
  database: SqliteConnection,
  cursor: Cursor,
  step: Compaction,
): Promise<Compacted> {
  const plan = planCompaction(step, await readSituation(database, cursor, step.upToRow));
  const heldBy = plan.heldBy === undefined ? {} : { heldBy: plan.heldBy };
  if (!plan.write)
    return { rows: [], cursor, result: { removedRows: 0, removedTo: cursor.base.row, ...heldBy } };
  const { base, removedRows, kept, checkpoint } = plan.write;
  const built = buildRows(cursor, step.atMs, [checkpoint]);
  for (const row of built.rows) await insertRow(database, row);
  for (const entry of kept) await insertKept(database, entry);
  await database.run('UPDATE removed SET toRow = ?', base.row);
  await database.run('DELETE FROM rows WHERE row <= ?', base.row);
  const result = { removedRows, removedTo: base.row, ...heldBy };
  return { rows: built.rows, cursor: { ...built.cursor, base }, result };
}

/** What the next step of a compaction decides on. */
async function readSituation(
  database: SqliteConnection,
  cursor: Cursor,
  upToRow: number,
): Promise<CompactionSituation> {
  const rows = await selectRows(
    database,
    'row > ? AND row <= ? ORDER BY row LIMIT ?',
    cursor.base.row,
    Math.min(upToRow, cursor.head.row - 1),
    JOURNAL_LIMITS.maxRowsPerCompaction,
  );
  const previous = await readLastCheckpoint(database);
  const references = [...new Set(rows.map(({ reference }) => reference))].filter((each) => each !== '');
  return {
    previous,
    keptHead: previous?.kept ?? KEPT_START,
    nextSequences: cursor.nextSequences,
    rows,
    held: await readHeld(database, references),
    kept: await readKeptOf(database, references),
  };
}

/** Of some sales, those without a true end and those with a message that the gateway has not acknowledged. */
async function readHeld(
  database: SqliteConnection,
  references: readonly string[],
): Promise<ReadonlySet<string>> {
  const some = JSON.stringify(references);
  const records = await database.all<{ reference: string }>(
    `SELECT reference FROM openSales WHERE reference IN (SELECT value FROM json_each(?))
     UNION SELECT reference FROM rows WHERE reference IN (SELECT value FROM json_each(?)) AND sequence > 0 AND ${IS_OPEN}`,
    some,
    some,
  );
  return new Set(records.map(({ reference }) => reference));
}

/** The newest entry of each sale of which something is kept. */
async function readKeptOf(
  database: SqliteConnection,
  references: readonly string[],
): Promise<ReadonlyMap<string, CompactedSale>> {
  const condition = 'reference IN (SELECT value FROM json_each(?)) ORDER BY position';
  const entries = await selectKept(database, condition, JSON.stringify(references));
  // Of several entries of one sale the last one counts.
  return new Map(entries.map((entry) => [entry.reference, entry]));
}

/** A removed row of a carried kind. */
export async function readCarried(database: SqliteConnection, kind: string): Promise<JournalRow | undefined> {
  const carried = (await readLastCheckpoint(database))?.carried.find((each) => each.kind === kind);
  return carried && carriedRow(carried);
}

/** What stands behind a row and a kept entry, with the blobs that go with it. */
export async function readPart(
  database: SqliteConnection,
  cursor: Cursor,
  afterRow: number,
  afterKept: number,
  limit: number,
): Promise<JournalPart> {
  const rows = await selectRows(database, 'row > ? ORDER BY row LIMIT ?', afterRow, limit);
  const kept = await selectKept(database, 'position > ? ORDER BY position LIMIT ?', afterKept, limit);
  const sealedOf = await readBlobs(database, (rows as readonly BuiltRow[]).flatMap(idWithBlob));
  const messageIds = rows.flatMap(({ statusOf = [] }) => statusOf);
  const stillThere = await readBlobs(database, messageIds);
  return {
    rows,
    kept,
    blobs: [...sealedOf].map(([messageId, sealed]) => ({ messageId, sealed })),
    wiped: messageIds.filter((messageId) => !stillThere.has(messageId)),
    base: cursor.base,
  };
}

function idWithBlob({ messageId, blobHash }: JournalRow): string[] {
  return messageId !== undefined && blobHash ? [messageId] : [];
}

async function readBlobs(
  database: SqliteConnection,
  messageIds: readonly string[],
): Promise<ReadonlyMap<string, Uint8Array>> {
  const records = await database.all<RowOf<typeof BLOBS>>(
    'SELECT * FROM blobs WHERE messageId IN (SELECT value FROM json_each(?))',
    JSON.stringify(messageIds),
  );
  return new Map(records.map(({ messageId, sealed }) => [messageId, sealed]));
}
