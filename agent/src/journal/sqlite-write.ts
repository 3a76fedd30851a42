import type { BlobCipher } from './blob-cipher.js';
import type { QueuedWrite } from './commit-queue.js';
import { DuplicateKey, JournalUnavailable, type JournalWrite } from './journal.js';
import { type BuiltRow, buildRows, type Cursor } from './row-builder.js';
import { compactIn } from './sqlite-compaction.js';
import { type SqliteDatabase, UniqueViolation } from './sqlite-database.js';
import { insertRow } from './sqlite-rows.js';

/** What became of one write of a batch. */
export type Written =
  | { readonly rows: readonly BuiltRow[]; readonly cursor: Cursor }
  | { readonly error: Error };

/**
 * Carries out one write inside the transaction that is open; one that repeats a key fails alone.
 * @throws JournalUnavailable: nothing of the whole transaction counts
 */
export async function writeOne(
  database: SqliteDatabase,
  cipher: BlobCipher,
  cursor: Cursor,
  write: QueuedWrite,
): Promise<Written> {
  await database.run('SAVEPOINT one');
  try {
    const written = write.compaction
      ? await compactOne(database, cursor, write.compaction)
      : await insert(database, cipher, cursor, write);
    await database.run('RELEASE one');
    return written;
  } catch (error) {
    if (error instanceof JournalUnavailable) throw error;
    await database.exec('ROLLBACK TO one; RELEASE one');
    if (!(error instanceof UniqueViolation)) return { error: error as Error };
    return { error: new DuplicateKey('reference or message id is already journaled') };
  }
}

async function insert(
  database: SqliteDatabase,
  cipher: BlobCipher,
  cursor: Cursor,
  write: JournalWrite,
): Promise<Written> {
  const sealed = new Map(
    (write.blobs ?? []).map(({ messageId, bytes }) => [messageId, cipher.seal(messageId, bytes)] as const),
  );
  const built = buildRows(cursor, write.atMs, write.rows, sealed);
  for (const row of built.rows) await insertRow(database, row);
  await writeBeside(database, write, sealed);
  return built;
}

async function compactOne(
  database: SqliteDatabase,
  cursor: Cursor,
  { step, done }: NonNullable<QueuedWrite['compaction']>,
): Promise<Written> {
  const { result, ...written } = await compactIn(database, cursor, step);
  done(result);
  return written;
}

async function writeBeside(
  database: SqliteDatabase,
  { sale, wipe }: JournalWrite,
  blobs: ReadonlyMap<string, Uint8Array>,
): Promise<void> {
  if (sale?.open) await database.run('INSERT OR IGNORE INTO open_sales VALUES (?)', sale.reference);
  else if (sale) await database.run('DELETE FROM open_sales WHERE reference = ?', sale.reference);
  for (const [messageId, sealed] of blobs) {
    await database.run('INSERT INTO blobs VALUES (?, ?)', messageId, sealed);
  }
  for (const messageId of wipe ?? []) await database.run('DELETE FROM blobs WHERE message_id = ?', messageId);
}
