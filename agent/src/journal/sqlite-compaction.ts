import { type CompactionSituation, carriedRow, planCompaction } from './compaction.js';
import { KEPT_START } from './hash-chain.js';
import {
  CLOSING_ROWS,
  type Compaction,
  type CompactionResult,
  JOURNAL_LIMITS,
  type JournalPart,
  type JournalRow,
  type KeptSale,
  PARKED_ROW,
} from './journal.js';
import { type BuiltRow, buildRows, type Cursor } from './row-builder.js';
import type { SqliteDatabase } from './sqlite-database.js';
import { IS_OPEN, insertKept, insertRow, readLastCheckpoint, selectKept, selectRows } from './sqlite-rows.js';

/** Parameters of one statement; SQLite takes 32,766. */
const MAX_VALUES = 500;

/** What a step of a compaction wrote, and where the journal stands behind it. */
export interface Compacted {
  readonly rows: readonly BuiltRow[];
  readonly cursor: Cursor;
  readonly result: CompactionResult;
}

/** Carries out one step of a compaction inside the transaction that is open. */
export async function compactIn(
  database: SqliteDatabase,
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
  await database.run('UPDATE removed SET to_row = ?', base.row);
  await database.run('DELETE FROM rows WHERE row <= ?', base.row);
  const result = { removedRows, removedTo: base.row, ...heldBy };
  return { rows: built.rows, cursor: { ...built.cursor, base }, result };
}

/** What the next step of a compaction decides on. */
async function readSituation(
  database: SqliteDatabase,
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
  database: SqliteDatabase,
  references: readonly string[],
): Promise<ReadonlySet<string>> {
  const held = new Set<string>();
  for (const some of pages(references)) {
    const records = await database.all(
      `SELECT reference FROM open_sales WHERE reference IN (${marks(some)})
       UNION SELECT reference FROM rows WHERE reference IN (${marks(some)}) AND sequence > 0 AND ${IS_OPEN}`,
      ...some,
      ...some,
    );
    for (const { reference } of records) held.add(String(reference));
  }
  return held;
}

/** The newest entry of each sale of which something is kept. */
async function readKeptOf(
  database: SqliteDatabase,
  references: readonly string[],
): Promise<ReadonlyMap<string, KeptSale>> {
  const entries: KeptSale[] = [];
  for (const some of pages(references)) {
    const condition = `reference IN (${marks(some)}) ORDER BY position`;
    entries.push(...(await selectKept(database, condition, ...some)));
  }
  // Of several entries of one sale the last one counts.
  return new Map(entries.map((entry) => [entry.reference, entry]));
}

/** A removed row of a carried kind. */
export async function readCarried(database: SqliteDatabase, kind: string): Promise<JournalRow | undefined> {
  const carried = (await readLastCheckpoint(database))?.carried.find((each) => each.kind === kind);
  return carried && carriedRow(carried);
}

/** What stands behind a row and a kept entry, with the blobs that go with it. */
export async function readPart(
  database: SqliteDatabase,
  cursor: Cursor,
  afterRow: number,
  afterKept: number,
  limit: number,
): Promise<JournalPart> {
  const rows = await selectRows(database, 'row > ? ORDER BY row LIMIT ?', afterRow, limit);
  const kept = await selectKept(database, 'position > ? ORDER BY position LIMIT ?', afterKept, limit);
  const sealedOf = await readBlobs(database, (rows as readonly BuiltRow[]).flatMap(idWithBlob));
  const settled = rows.flatMap(({ kind, settles }) =>
    settles !== undefined && (kind === PARKED_ROW || CLOSING_ROWS.includes(kind)) ? [settles] : [],
  );
  const stillThere = await readBlobs(database, settled);
  return {
    rows,
    kept,
    blobs: [...sealedOf].map(([messageId, sealed]) => ({ messageId, sealed })),
    wiped: settled.filter((messageId) => !stillThere.has(messageId)),
    base: cursor.base,
  };
}

function idWithBlob({ messageId, blobHash }: JournalRow): string[] {
  return messageId !== undefined && blobHash ? [messageId] : [];
}

async function readBlobs(
  database: SqliteDatabase,
  messageIds: readonly string[],
): Promise<ReadonlyMap<string, Uint8Array>> {
  const found = new Map<string, Uint8Array>();
  for (const some of pages(messageIds)) {
    const records = await database.all(
      `SELECT message_id, sealed FROM blobs WHERE message_id IN (${marks(some)})`,
      ...some,
    );
    for (const { message_id, sealed } of records) found.set(String(message_id), sealed as Uint8Array);
  }
  return found;
}

function* pages(values: readonly string[]): Generator<readonly string[]> {
  for (let at = 0; at < values.length; at += MAX_VALUES) yield values.slice(at, at + MAX_VALUES);
}

function marks(values: readonly string[]): string {
  return values.map(() => '?').join(', ');
}
