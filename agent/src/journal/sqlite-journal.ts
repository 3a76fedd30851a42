import type { Clock, Timer } from '@tillbridge/protocol/seams/clock.js';
import type { BlobCipher } from './blob-cipher.js';
import { CommitQueue, type PendingWrite } from './commit-queue.js';
import type { CrashPoint } from './crash-point.js';
import { crashNow } from './crash-point.js';
import {
  type ChainReport,
  DuplicateKey,
  JOURNAL_LIMITS,
  type Journal,
  type JournalHead,
  type JournalRow,
  type JournalState,
  JournalUnavailable,
  type JournalWrite,
  type OpenMessage,
} from './journal.js';
import { type BuiltRow, buildRows, type Cursor, checkWrite, EMPTY_CURSOR } from './row-builder.js';
import { SqliteDatabase, UniqueViolation } from './sqlite-database.js';
import { insertRow, readCursor, readOpenMessages, selectRows, verifyFrom } from './sqlite-rows.js';
import { prepareDatabase, probeDatabase } from './sqlite-schema.js';
import { StateListeners } from './state-listeners.js';

/** What the file engine needs. */
export interface SqliteJournalOptions {
  readonly path: string;
  readonly cipher: BlobCipher;
  readonly clock: Clock;
  /** Default {@link JOURNAL_LIMITS.maxFileBytes}. */
  readonly maxFileBytes?: number;
  /** Where a test wants this process to die. */
  readonly crashAt?: CrashPoint;
}

type Written = { readonly rows: readonly BuiltRow[]; readonly cursor: Cursor } | { readonly error: Error };

/** Two connections to the file: reads never see a transaction that may yet be rolled back. */
interface Connections {
  readonly writer: SqliteDatabase;
  readonly reader: SqliteDatabase;
}

/**
 * The journal in a SQLite file. Writes that wait while a transaction runs share the next one and its fsync.
 * A fault makes the journal unavailable and closes the file; it is opened, checked and probed again until it works.
 */
export class SqliteJournal implements Journal {
  readonly #options: SqliteJournalOptions;
  readonly #listeners = new StateListeners({
    kind: 'unavailable',
    reason: 'cannot-open',
    detail: 'not opened yet',
  });
  readonly #queue: CommitQueue;
  #connections: Connections | undefined;
  #cursor: Cursor = EMPTY_CURSOR;
  #probe: Timer | undefined;
  #closed = false;

  private constructor(options: SqliteJournalOptions) {
    this.#options = options;
    this.#queue = new CommitQueue((batch) => this.#commit(batch));
  }

  /** Opens the file; when that fails the journal is there, unavailable, and keeps trying. */
  static async open(options: SqliteJournalOptions): Promise<SqliteJournal> {
    const journal = new SqliteJournal(options);
    await journal.#reopen();
    return journal;
  }

  get state(): JournalState {
    return this.#listeners.state;
  }

  get head(): JournalHead {
    return { row: this.#cursor.head.row, hash: this.#cursor.head.hash };
  }

  onState(listener: (state: JournalState) => void): () => void {
    return this.#listeners.add(listener);
  }

  async append(write: JournalWrite): Promise<readonly JournalRow[]> {
    checkWrite(write);
    this.#ready();
    return this.#queue.add(write);
  }

  rowsOf(reference: string): Promise<readonly JournalRow[]> {
    return this.#read((db) => selectRows(db, 'reference = ? ORDER BY row', reference));
  }

  rowsAfter(row: number, limit: number): Promise<readonly JournalRow[]> {
    return this.#read((db) => selectRows(db, 'row > ? ORDER BY row LIMIT ?', row, limit));
  }

  rowOfMessage(messageId: string): Promise<JournalRow | undefined> {
    return this.#read(async (db) => (await selectRows(db, 'message_id = ?', messageId))[0]);
  }

  lastOfKind(kind: string): Promise<JournalRow | undefined> {
    return this.#read(async (db) => (await selectRows(db, 'kind = ? ORDER BY row DESC LIMIT 1', kind))[0]);
  }

  openSales(): Promise<readonly string[]> {
    return this.#read(async (db) => {
      const first = `reference IN (SELECT reference FROM open_sales) AND kind = 'accepted' ORDER BY row`;
      return (await selectRows(db, first)).map((row) => row.reference);
    });
  }

  openMessages(): Promise<readonly OpenMessage[]> {
    return this.#read(readOpenMessages);
  }

  async nextSequences(): Promise<ReadonlyMap<string, number>> {
    this.#ready();
    return this.#cursor.nextSequences;
  }

  highestAtMs(): Promise<number> {
    return this.#read(async (db) =>
      Number((await db.get('SELECT MAX(at_ms) AS highest FROM rows'))?.highest ?? 0),
    );
  }

  blob(messageId: string): Promise<Uint8Array | undefined> {
    return this.#read(async (db) => {
      const record = await db.get('SELECT sealed FROM blobs WHERE message_id = ?', messageId);
      return record && this.#options.cipher.open(messageId, record.sealed as Uint8Array);
    });
  }

  verify(): Promise<ChainReport> {
    return this.#read((db) => verifyFrom(db, 0));
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#probe?.cancel();
    await this.#queue.idle();
    await closeBoth(this.#connections);
    this.#connections = undefined;
    this.#listeners.set({ kind: 'unavailable', reason: 'closed', detail: 'the journal was closed' });
  }

  #ready(): Connections {
    const { state } = this;
    if (state.kind === 'unavailable') throw new JournalUnavailable(state.reason, state.detail);
    if (!this.#connections || this.#closed) throw new JournalUnavailable('closed', 'the journal is closed');
    return this.#connections;
  }

  async #read<T>(query: (database: SqliteDatabase) => Promise<T>): Promise<T> {
    const { reader } = this.#ready();
    try {
      return await query(reader);
    } catch (error) {
      if (error instanceof JournalUnavailable) await this.#fail(error);
      throw error;
    }
  }

  /** One transaction for the whole batch; a write that repeats a key fails alone. */
  async #commit(batch: readonly PendingWrite[]): Promise<void> {
    this.#crashIf('before', batch);
    try {
      const { writer: database } = this.#ready();
      await database.run('BEGIN IMMEDIATE');
      let cursor = this.#cursor;
      const results: Written[] = [];
      for (const { write } of batch) {
        const result = await this.#writeOne(database, cursor, write);
        if ('rows' in result) cursor = result.cursor;
        results.push(result);
      }
      await database.run('COMMIT');
      this.#cursor = cursor;
      this.#crashIf('after', batch);
      for (const [index, pending] of batch.entries()) settle(pending, results[index]);
      await this.#forgetWiped(database, batch);
    } catch (error) {
      const fault = asUnavailable(error);
      for (const pending of [...batch, ...this.#queue.takeAll()]) pending.reject(fault);
      await this.#fail(fault);
    }
  }

  async #writeOne(database: SqliteDatabase, cursor: Cursor, write: JournalWrite): Promise<Written> {
    await database.run('SAVEPOINT one');
    try {
      const built = buildRows(cursor, write.atMs, write.rows);
      for (const row of built.rows) await insertRow(database, row);
      await this.#writeBeside(database, write);
      await database.run('RELEASE one');
      return built;
    } catch (error) {
      if (error instanceof JournalUnavailable) throw error;
      await database.exec('ROLLBACK TO one; RELEASE one');
      const duplicate = error instanceof UniqueViolation;
      return {
        error: duplicate
          ? new DuplicateKey('reference or message id is already journaled')
          : (error as Error),
      };
    }
  }

  async #writeBeside(database: SqliteDatabase, { sale, blobs, wipe }: JournalWrite): Promise<void> {
    if (sale?.open) await database.run('INSERT OR IGNORE INTO open_sales VALUES (?)', sale.reference);
    else if (sale) await database.run('DELETE FROM open_sales WHERE reference = ?', sale.reference);
    for (const { messageId, bytes } of blobs ?? []) {
      const sealed = this.#options.cipher.seal(messageId, bytes);
      await database.run('INSERT INTO blobs VALUES (?, ?)', messageId, sealed);
    }
    for (const messageId of wipe ?? [])
      await database.run('DELETE FROM blobs WHERE message_id = ?', messageId);
  }

  /** secure_delete overwrites the page in the file only when the log is moved into it. */
  async #forgetWiped(database: SqliteDatabase, batch: readonly PendingWrite[]): Promise<void> {
    if (this.#queue.waiting > 0 || !batch.some(({ write }) => (write.wipe?.length ?? 0) > 0)) return;
    await database.all('PRAGMA wal_checkpoint(TRUNCATE)');
  }

  async #fail(fault: JournalUnavailable): Promise<void> {
    if (this.#closed) return;
    const connections = this.#connections;
    this.#connections = undefined;
    this.#listeners.set({ kind: 'unavailable', reason: fault.reason, detail: fault.message });
    await closeBoth(connections);
    this.#probeLater();
  }

  #probeLater(): void {
    this.#probe?.cancel();
    if (this.#closed) return;
    this.#probe = this.#options.clock.setTimer(JOURNAL_LIMITS.probeIntervalMs, () => void this.#reopen());
  }

  async #reopen(): Promise<void> {
    let writer: SqliteDatabase | undefined;
    try {
      writer = await SqliteDatabase.open(this.#options.path);
      await prepareDatabase(writer, this.#options.maxFileBytes ?? JOURNAL_LIMITS.maxFileBytes);
      await probeDatabase(writer);
      this.#cursor = await readCursor(writer);
      const { verifiedOnOpen } = JOURNAL_LIMITS;
      const tail = await verifyFrom(writer, Math.max(0, this.#cursor.head.row - verifiedOnOpen));
      if (!tail.ok) throw new JournalUnavailable('corrupt', `row ${tail.badRow}: ${tail.problem}`);
      const reader = await SqliteDatabase.open(this.#options.path);
      this.#connections = { writer, reader };
      if (this.#closed) await closeBoth(this.#connections);
      else this.#listeners.set({ kind: 'ready' });
    } catch (error) {
      await writer?.close();
      const { reason, message } = asUnavailable(error);
      if (!this.#closed) this.#listeners.set({ kind: 'unavailable', reason, detail: message });
      this.#probeLater();
    }
  }

  #crashIf(moment: CrashPoint['moment'], batch: readonly PendingWrite[]): void {
    const point = this.#options.crashAt;
    if (point?.moment !== moment) return;
    if (batch.some(({ write }) => write.rows.some((row) => row.kind === point.kind))) crashNow();
  }
}

async function closeBoth(connections: Connections | undefined): Promise<void> {
  await connections?.reader.close();
  await connections?.writer.close();
}

function settle(pending: PendingWrite, result: Written | undefined): void {
  if (result && 'rows' in result) pending.resolve(result.rows);
  else pending.reject(result?.error ?? new Error('a write of the batch has no result'));
}

function asUnavailable(error: unknown): JournalUnavailable {
  if (error instanceof JournalUnavailable) return error;
  return new JournalUnavailable('io-error', error instanceof Error ? error.message : String(error));
}
