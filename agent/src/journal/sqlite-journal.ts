import type { SqliteConnection } from '@tillbridge/platform/sqlite/connection.js';
import { ConstraintError } from '@tillbridge/platform/sqlite/database-error.js';
import type { Timer } from '@tillbridge/wire/seams/clock.js';
import type { BlobCipher } from './blob-cipher.js';
import { verifyJournal } from './chain-verifier.js';
import { CHAIN_START } from './hash-chain.js';
import {
  type ChainReport,
  type CompactedSale,
  type Compaction,
  type CompactionResult,
  JOURNAL_LIMITS,
  type Journal,
  type JournalHead,
  type JournalLeaf,
  JournalLimitError,
  type JournalPart,
  type JournalRow,
  type JournalState,
  JournalUnavailable,
  type JournalWrite,
  type OpenMessage,
  type RowRange,
  type UnavailableReason,
} from './journal.js';
import { asUnavailable, JournalWriter, type JournalWriterPorts } from './journal-writer.js';
import { openDatabase } from './open-database.js';
import { type Cursor, checkWrite, EMPTY_CURSOR } from './row-builder.js';
import { readCarried, readPart } from './sqlite-compaction.js';
import {
  readCursor,
  readLastCheckpoint,
  readOpenMessages,
  selectKept,
  selectLeaves,
  selectRows,
  sqliteChainSource,
  verifySlice,
  verifyTail,
} from './sqlite-rows.js';
import { openJournalDatabase, probeDatabase } from './sqlite-schema.js';
import { appendAll, type QueuedWrite, type Written, writeOne } from './sqlite-write.js';
import { StateListeners } from './state-listeners.js';

/** What the file engine needs. */
export interface SqliteJournalOptions extends Pick<JournalWriterPorts, 'clock' | 'crashAt' | 'onCommit'> {
  readonly path: string;
  readonly cipher: BlobCipher;
  /** Default {@link JOURNAL_LIMITS.maxFileBytes}. */
  readonly maxFileBytes?: number;
}

/** Two connections to the file: reads never see a transaction that may yet be rolled back. */
interface Connections {
  readonly writer: SqliteConnection;
  readonly reader: SqliteConnection;
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
  readonly #queue: JournalWriter;
  #connections: Connections | undefined;
  #cursor: Cursor = EMPTY_CURSOR;
  /** Up to where this process has verified the chain. */
  #scrubbed: JournalHead = CHAIN_START;
  #probe: Timer | undefined;
  #closed = false;

  private constructor(options: SqliteJournalOptions) {
    this.#options = options;
    const { clock, crashAt, onCommit } = options;
    this.#queue = new JournalWriter({
      clock,
      ...(crashAt && { crashAt }),
      ...(onCommit && { onCommit }),
      write: (batch) => this.#commit(batch),
      answered: (batch) => this.#forgetWiped(batch),
      failed: (fault) => this.#fail(fault),
    });
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

  rowsOfKind(kind: string, range: RowRange): Promise<readonly JournalRow[]> {
    const { sinceMs, untilMs, afterRow, newestFirst = false, limit } = range;
    const behind = newestFirst && afterRow > 0 ? 'row < ?' : 'row > ?';
    // Rows stand about in the order of time: the first of the range keeps the search away from older ones.
    const condition = `kind = ? AND ${behind} AND row >= (SELECT MIN(row) FROM rows WHERE atMs >= ?)
      AND atMs >= ? AND atMs < ? ORDER BY row ${newestFirst ? 'DESC' : 'ASC'} LIMIT ?`;
    return this.#read((db) => selectRows(db, condition, kind, afterRow, sinceMs, sinceMs, untilMs, limit));
  }

  leaves(afterRow: number, limit: number): Promise<readonly JournalLeaf[]> {
    return this.#read((db) => selectLeaves(db, afterRow, limit));
  }

  rowOfMessage(messageId: string): Promise<JournalRow | undefined> {
    return this.#read(async (db) => (await selectRows(db, 'messageId = ?', messageId))[0]);
  }

  lastOfKind(kind: string): Promise<JournalRow | undefined> {
    return this.#read(async (db) => {
      const [newest] = await selectRows(db, 'kind = ? ORDER BY row DESC LIMIT 1', kind);
      return newest ?? readCarried(db, kind);
    });
  }

  openSales(): Promise<readonly string[]> {
    // By the first row that is left: of a sale that was opened again, compaction may have removed the first of all.
    const byFirstRow = `SELECT openSales.reference, MIN(rows.row) AS first FROM openSales
      LEFT JOIN rows ON rows.reference = openSales.reference GROUP BY openSales.reference ORDER BY first`;
    return this.#read(async (db) => (await db.all(byFirstRow)).map(({ reference }) => String(reference)));
  }

  openMessages(): Promise<readonly OpenMessage[]> {
    return this.#read(readOpenMessages);
  }

  async nextSequences(): Promise<ReadonlyMap<string, number>> {
    this.#ready();
    return this.#cursor.nextSequences;
  }

  highestAtMs(): Promise<number> {
    return this.#read(async (db) => {
      const highest = Number((await db.get('SELECT MAX(atMs) AS highest FROM rows'))?.highest ?? 0);
      return Math.max(highest, (await readLastCheckpoint(db))?.highestAtMs ?? 0);
    });
  }

  highestAtMsAfter(row: number): Promise<number> {
    const highest = 'SELECT MAX(atMs) AS highest FROM rows WHERE row > ?';
    return this.#read(async (db) => Number((await db.get(highest, row))?.highest ?? 0));
  }

  blob(messageId: string): Promise<Uint8Array | undefined> {
    return this.#read(async (db) => {
      const record = await db.get('SELECT sealed FROM blobs WHERE messageId = ?', messageId);
      return record && this.#options.cipher.open(messageId, record.sealed as Uint8Array);
    });
  }

  kept(reference: string): Promise<CompactedSale | undefined> {
    const newest = 'reference = ? ORDER BY position DESC LIMIT 1';
    return this.#read(async (db) => (await selectKept(db, newest, reference))[0]);
  }

  hashAt(row: number): Promise<Uint8Array | undefined> {
    return this.#read(async (db) => {
      const { base } = this.#cursor;
      return row === base.row ? base.hash : (await selectRows(db, 'row = ?', row))[0]?.hash;
    });
  }

  part(afterRow: number, afterKept: number, limit: number): Promise<JournalPart> {
    return this.#read((db) => readPart(db, this.#cursor, afterRow, afterKept, limit));
  }

  async compact(step: Compaction): Promise<CompactionResult> {
    this.#ready();
    let result: CompactionResult | undefined;
    const done = (found: CompactionResult): void => {
      result = found;
    };
    await this.#queue.add({ atMs: step.atMs, rows: [], compaction: { step, done } });
    if (!result) throw new Error('a compaction was committed without a result');
    return result;
  }

  verify(progress?: (row: number, of: number) => void): Promise<ChainReport> {
    return this.#read((db) => verifyJournal(sqliteChainSource(db), progress));
  }

  scrub(rows: number): Promise<void> {
    return this.#read(async (db) => {
      const { base, head } = this.#cursor;
      const behind = this.#scrubbed.row < base.row || this.#scrubbed.row >= head.row;
      const report = await verifySlice(db, behind ? base : this.#scrubbed, rows);
      if (report.ok) this.#scrubbed = { row: report.rows, hash: report.head };
      // Compaction may have removed rows between the two reads of this slice: the next one begins at the new base.
      else if (base.row === this.#cursor.base.row) throw corrupt(report);
    });
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

  async #read<T>(query: (database: SqliteConnection) => Promise<T>): Promise<T> {
    const { reader } = this.#ready();
    try {
      return await query(reader);
    } catch (error) {
      if (error instanceof JournalUnavailable) await this.#fail(error);
      throw error;
    }
  }

  /** One transaction for the whole batch; a write that repeats a key fails without the others. */
  async #commit(batch: readonly QueuedWrite[]): Promise<readonly Written[]> {
    const results = await this.#write(this.#ready().writer, batch);
    this.#cursor = lastCursor(results) ?? this.#cursor;
    return results;
  }

  /** In one go where that is possible; write by write when one of them repeats a key, breaks a limit, or has to read first. */
  async #write(database: SqliteConnection, batch: readonly QueuedWrite[]): Promise<readonly Written[]> {
    const { cipher } = this.#options;
    if (!batch.some(({ compaction }) => compaction !== undefined)) {
      try {
        return await appendAll(database, cipher, this.#cursor, batch);
      } catch (error) {
        if (!(error instanceof ConstraintError || error instanceof JournalLimitError)) throw error;
      }
    }
    return database.transaction(async () => {
      let cursor = this.#cursor;
      const results: Written[] = [];
      for (const write of batch) {
        const result = await writeOne(database, cipher, cursor, write);
        if ('rows' in result) cursor = result.cursor;
        results.push(result);
      }
      return results;
    });
  }

  /** secure_delete overwrites the page in the file only when the log is moved into it. */
  async #forgetWiped(batch: readonly QueuedWrite[]): Promise<void> {
    if (this.#queue.waiting > 0 || !batch.some(({ wipe }) => (wipe?.length ?? 0) > 0)) return;
    await this.#ready().writer.all('PRAGMA wal_checkpoint(TRUNCATE)');
  }

  async #fail(fault: JournalUnavailable): Promise<void> {
    if (this.#closed) return;
    const connections = this.#connections;
    this.#connections = undefined;
    this.#listeners.set({ kind: 'unavailable', reason: fault.reason, detail: fault.detail });
    await closeBoth(connections);
    this.#probeLater(fault.reason);
  }

  #probeLater(reason: UnavailableReason): void {
    this.#probe?.cancel();
    if (this.#closed) return;
    const { probeIntervalMs, corruptProbeIntervalMs } = JOURNAL_LIMITS;
    const delayMs = reason === 'corrupt' ? corruptProbeIntervalMs : probeIntervalMs;
    this.#probe = this.#options.clock.setTimer(delayMs, () => void this.#reopen());
  }

  async #reopen(): Promise<void> {
    let writer: SqliteConnection | undefined;
    try {
      const { path, maxFileBytes = JOURNAL_LIMITS.maxFileBytes } = this.#options;
      writer = await openJournalDatabase(path, maxFileBytes);
      await probeDatabase(writer);
      this.#cursor = await readCursor(writer);
      const tail = await verifyTail(writer, this.#cursor, JOURNAL_LIMITS.verifiedOnOpen);
      if (!tail.ok) throw corrupt(tail);
      const reader = await openDatabase(path);
      this.#connections = { writer, reader };
      if (this.#closed) await closeBoth(this.#connections);
      else this.#listeners.set({ kind: 'ready' });
    } catch (error) {
      await writer?.close();
      const { reason, detail } = asUnavailable(error);
      if (!this.#closed) this.#listeners.set({ kind: 'unavailable', reason, detail });
      this.#probeLater(reason);
    }
  }
}

function corrupt({ badRow, problem }: Extract<ChainReport, { readonly ok: false }>): JournalUnavailable {
  return new JournalUnavailable('corrupt', `row ${badRow}: ${problem}`);
}

async function closeBoth(connections: Connections | undefined): Promise<void> {
  await connections?.reader.close();
  await connections?.writer.close();
}

function lastCursor(results: readonly Written[]): Cursor | undefined {
  return results.reduce<Cursor | undefined>(
    (last, result) => ('rows' in result ? result.cursor : last),
    undefined,
  );
}
