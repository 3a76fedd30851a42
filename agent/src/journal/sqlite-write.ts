import type { SqliteConnection } from '@tillbridge/protocol/platform/sqlite/connection.js';
import { ConstraintError } from '@tillbridge/protocol/platform/sqlite/database-error.js';
import { SqlScript, type Statements } from '@tillbridge/protocol/platform/sqlite/sql-script.js';
import { insertSql } from '@tillbridge/protocol/platform/sqlite/table-sql.js';
import type { BlobCipher } from './blob-cipher.js';
import {
  type Compaction,
  type CompactionResult,
  DuplicateKey,
  JournalLimitError,
  JournalUnavailable,
  type JournalWrite,
} from './journal.js';
import { type BuiltRow, buildRows, type Cursor } from './row-builder.js';
import { compactIn } from './sqlite-compaction.js';
import { insertRow } from './sqlite-rows.js';
import { BLOBS, OPEN_SALES } from './tables.js';

/** A write of a caller, or a step of a compaction, which finds its rows inside the transaction. */
export interface QueuedWrite extends JournalWrite {
  readonly compaction?: { readonly step: Compaction; readonly done: (result: CompactionResult) => void };
}

/** What became of one write of a batch. */
export type Written =
  | { readonly rows: readonly BuiltRow[]; readonly cursor: Cursor }
  | { readonly error: Error };

/**
 * Carries out one write inside the transaction that is open; one that repeats a key fails alone.
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
    const written = write.compaction
      ? await compactOne(database, cursor, write.compaction)
      : await insert(database, cipher, cursor, write);
    await database.exec('RELEASE one');
    return written;
  } catch (error) {
    if (error instanceof JournalUnavailable) throw error;
    await database.exec('ROLLBACK TO one; RELEASE one');
    if (!(error instanceof ConstraintError)) return { error: error as Error };
    return { error: new DuplicateKey('reference or message id is already journaled') };
  }
}

/** A whole transaction in one text, and what becomes of each write when it is carried out. */
export interface WriteScript {
  readonly text: string;
  readonly written: readonly Extract<Written, { rows: readonly BuiltRow[] }>[];
}

/**
 * The transaction of a batch as one text; undefined when a write has to look at the file first, or breaks a limit and
 * fails alone. It holds as long as no write repeats a key: otherwise nothing of it counts.
 */
export async function scriptOf(
  cipher: BlobCipher,
  cursor: Cursor,
  writes: readonly QueuedWrite[],
): Promise<WriteScript | undefined> {
  if (writes.some(({ compaction }) => compaction !== undefined)) return undefined;
  const script = new SqlScript();
  await script.run('BEGIN IMMEDIATE');
  const written: WriteScript['written'][number][] = [];
  for (const write of writes) {
    try {
      written.push(await insert(script, cipher, written.at(-1)?.cursor ?? cursor, write));
    } catch (error) {
      if (error instanceof JournalLimitError) return undefined;
      throw error;
    }
  }
  await script.run('COMMIT');
  return { text: script.text, written };
}

async function insert(
  statements: Statements,
  cipher: BlobCipher,
  cursor: Cursor,
  write: JournalWrite,
): Promise<Extract<Written, { rows: readonly BuiltRow[] }>> {
  const sealed = new Map(
    (write.blobs ?? []).map(({ messageId, bytes }) => [messageId, cipher.seal(messageId, bytes)] as const),
  );
  const built = buildRows(cursor, write.atMs, write.rows, sealed);
  for (const row of built.rows) await insertRow(statements, row);
  await writeBeside(statements, write, sealed);
  return built;
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

async function writeBeside(
  statements: Statements,
  { sale, wipe }: JournalWrite,
  blobs: ReadonlyMap<string, Uint8Array>,
): Promise<void> {
  if (sale?.open) await statements.run(insertSql(OPEN_SALES, 'OR IGNORE '), sale.reference);
  else if (sale) await statements.run('DELETE FROM openSales WHERE reference = ?', sale.reference);
  for (const [messageId, sealed] of blobs) {
    await statements.run(insertSql(BLOBS), messageId, sealed);
  }
  for (const messageId of wipe ?? [])
    await statements.run('DELETE FROM blobs WHERE messageId = ?', messageId);
}
