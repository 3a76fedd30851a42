import { batchInsertSql } from '@tillbridge/platform/sqlite/batch-view.js';
import type { SqliteConnection } from '@tillbridge/platform/sqlite/connection.js';
import { ConstraintError } from '@tillbridge/platform/sqlite/database-error.js';
import { toHex } from '@tillbridge/wire/bytes.js';
import type { BlobCipher } from './blob-cipher.js';
import {
  type Compaction,
  type CompactionResult,
  DuplicateKey,
  JournalUnavailable,
  type JournalWrite,
} from './journal.js';
import { type BuiltRow, buildRows, type Cursor } from './row-builder.js';
import { compactIn } from './sqlite-compaction.js';
import { APPENDS } from './sqlite-schema.js';

/** A write of a caller, or a step of a compaction, which finds its rows inside the transaction. */
export interface QueuedWrite extends JournalWrite {
  readonly compaction?: { readonly step: Compaction; readonly done: (result: CompactionResult) => void };
}

/** What became of one write of a batch. */
export type Written =
  | { readonly rows: readonly BuiltRow[]; readonly cursor: Cursor }
  | { readonly error: Error };

/**
 * Carries out one write inside the transaction that is open; one that repeats a key fails without the others.
 * @throws JournalUnavailable: nothing of the whole transaction counts
 */
export async function writeOne(
  database: SqliteConnection,
  cipher: BlobCipher,
  cursor: Cursor,
  write: QueuedWrite,
): Promise<Written> {
  await database.exec('SAVEPOINT one');
  try {
    const [written] = write.compaction
      ? [await compactOne(database, cursor, write.compaction)]
      : await appendAll(database, cipher, cursor, [write]);
    await database.exec('RELEASE one');
    return written ?? { error: new Error('nothing was written') };
  } catch (error) {
    if (error instanceof JournalUnavailable) throw error;
    await database.exec('ROLLBACK TO one; RELEASE one');
    if (!(error instanceof ConstraintError)) return { error: error as Error };
    return { error: new DuplicateKey('reference or message id is already journaled') };
  }
}

/**
 * Carries out writes with one statement: alone it is one transaction, with one way to the thread of the database and back.
 * Nothing of it counts when it fails.
 * @throws JournalUnavailable, JournalLimitError, ConstraintError when a write repeats a key
 */
export async function appendAll(
  database: SqliteConnection,
  cipher: BlobCipher,
  cursor: Cursor,
  writes: readonly JournalWrite[],
): Promise<readonly BuiltWrite[]> {
  const written: BuiltWrite[] = [];
  for (const write of writes) written.push(build(cipher, written.at(-1)?.cursor ?? cursor, write));
  const rows = written.flatMap((each) => each.rows.map(asValues));
  const { opened, closed, wiped, blobs } = relatedRows(writes, written);
  const values = [rows, opened, closed, wiped, blobs].map((each) => JSON.stringify(each));
  await database.run(APPEND, ...values);
  return written;
}

const APPEND = batchInsertSql(APPENDS);

/** A write with its rows as they are stored. */
interface BuiltWrite {
  readonly rows: readonly BuiltRow[];
  readonly cursor: Cursor;
  /** Blobs by message. */
  readonly sealed: ReadonlyMap<string, Uint8Array>;
}

/** The values of a row in the order of the table's columns; bytes as hex. */
function asValues(row: BuiltRow): readonly (string | number | null)[] {
  const { atMs, kind, reference, terminalId, messageId, sequence, statusOf, dataText, hash, blobHash } = row;
  const place = [row.row, atMs, kind, reference, terminalId, messageId ?? null, sequence, statusOf ?? null];
  return [...place, dataText, toHex(hash), blobHash ? toHex(blobHash) : null];
}

/** Open and closed sales and blobs after the last write; no reader sees a state within the transaction. */
function relatedRows(writes: readonly JournalWrite[], written: readonly BuiltWrite[]) {
  const isOpen = new Map<string, boolean>();
  const blobs = new Map<string, string>();
  const wiped = new Set<string>();
  for (const [at, { sale, wipe = [] }] of writes.entries()) {
    if (sale) isOpen.set(sale.reference, sale.open);
    for (const [messageId, sealed] of written[at]?.sealed ?? []) blobs.set(messageId, toHex(sealed));
    for (const messageId of wipe) {
      blobs.delete(messageId);
      wiped.add(messageId);
    }
  }
  const [opened, closed] = [true, false].map((open) =>
    [...isOpen].filter(([, each]) => each === open).map(([reference]) => reference),
  );
  return { opened, closed, wiped: [...wiped], blobs: [...blobs] };
}

function build(cipher: BlobCipher, cursor: Cursor, { atMs, rows, blobs = [] }: JournalWrite): BuiltWrite {
  const sealed = new Map(
    blobs.map(({ messageId, bytes }) => [messageId, cipher.seal(messageId, bytes)] as const),
  );
  return { ...buildRows(cursor, atMs, rows, sealed), sealed };
}

async function compactOne(
  database: SqliteConnection,
  cursor: Cursor,
  { step, done }: NonNullable<QueuedWrite['compaction']>,
): Promise<Written> {
  const { result, ...written } = await compactIn(database, cursor, step);
  done(result);
  return written;
}
