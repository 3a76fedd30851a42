import { existsSync } from 'node:fs';
import type { SqliteConnection } from '@tillbridge/platform/sqlite/connection.js';
import { equalConstantTime } from '@tillbridge/wire/bytes.js';
import { verifyJournal } from './chain-verifier.js';
import { type ChainReport, type JournalHead, type JournalRow, JournalUnavailable } from './journal.js';
import { openDatabase } from './open-database.js';
import { readCursor, readOpenMessages, selectRows, sqliteChainSource } from './sqlite-rows.js';
import { GOOD_STANDING, STANDING_KINDS, type StandingKind, standingAfter } from './standing.js';

/** How long a read waits for the agent, in milliseconds. */
const READ_TIMEOUT_MS = 5_000;

/** A journal file as a verification found it. */
export interface FileReport {
  readonly chain: ChainReport;
  /** Result of SQLite's own check of the file's pages; `ok` when nothing is wrong. */
  readonly file: string;
}

/** What a journal owes: messages that the gateway has not taken, and sales without a true end, parked ones among them. */
export interface OwedMoney {
  readonly messages: readonly Pick<JournalRow, 'kind' | 'reference' | 'terminalId'>[];
  /** Their references. */
  readonly sales: readonly string[];
}

/** There is no journal file. */
export class NoJournalError extends Error {
  override readonly name = 'NoJournalError';
}

/** A journal file that is only read: the agent that owns it may run meanwhile. */
export class JournalFile {
  readonly #database: SqliteConnection;

  private constructor(database: SqliteConnection) {
    this.#database = database;
  }

  /** @throws NoJournalError, JournalUnavailable */
  static async open(path: string): Promise<JournalFile> {
    if (!existsSync(path)) throw new NoJournalError(`there is no journal at ${path}`);
    return new JournalFile(await openDatabase(path, { access: 'read-only', busyTimeoutMs: READ_TIMEOUT_MS }));
  }

  /**
   * Verifies pages, rows, blobs and what was kept. A damaged page does not end it before the rows in front of it are verified.
   * @throws JournalUnavailable when the file cannot be read now, for another reason than its damage
   */
  async verify(progress: (row: number, of: number) => void): Promise<FileReport> {
    const file = await this.#checkPages();
    let reached = 0;
    const noted = (row: number, of: number): void => {
      reached = row;
      progress(row, of);
    };
    try {
      return { file, chain: await verifyJournal(sqliteChainSource(this.#database), noted) };
    } catch (error) {
      if (!isDamage(error)) throw error;
      const problem = `the file cannot be read behind row ${reached}: ${error.message}`;
      return { file, chain: { ok: false, badRow: reached + 1, damage: 'unreadable', problem } };
    }
  }

  /** How a head of the gateway or of a replica compares to this journal. @throws JournalUnavailable */
  async compare(kept: JournalHead): Promise<'continues' | 'behind' | 'forked' | 'removed'> {
    const { head, base } = await readCursor(this.#database);
    if (kept.row > head.row) return 'behind';
    if (kept.row < base.row) return 'removed';
    const row = kept.row === base.row ? base : (await selectRows(this.#database, 'row = ?', kept.row))[0];
    return row && equalConstantTime(row.hash, kept.hash) ? 'continues' : 'forked';
  }

  /** How the journal stands by its own rows; `undefined` where they cannot be read. @throws JournalUnavailable */
  async standing(): Promise<StandingKind | undefined> {
    const rows: JournalRow[] = [];
    try {
      for (const kind of STANDING_KINDS)
        rows.push(...(await selectRows(this.#database, 'kind = ? ORDER BY row DESC LIMIT 1', kind)));
    } catch (error) {
      if (isDamage(error)) return undefined;
      throw error;
    }
    rows.sort((a, b) => a.row - b.row);
    return rows.reduce(standingAfter, GOOD_STANDING).kind;
  }

  /** What is owed by the rows on disk. @throws JournalUnavailable when they cannot be read */
  async owed(): Promise<OwedMoney> {
    const messages = await readOpenMessages(this.#database);
    const sales = await this.#database.all<{ reference: string }>(
      'SELECT reference FROM openSales ORDER BY reference',
    );
    return {
      messages: messages.map(({ row: { kind, reference, terminalId } }) => ({ kind, reference, terminalId })),
      sales: sales.map(({ reference }) => reference),
    };
  }

  async close(): Promise<void> {
    await this.#database.close();
  }

  async #checkPages(): Promise<string> {
    try {
      return String((await this.#database.get('PRAGMA quick_check(1)'))?.quick_check ?? 'no answer');
    } catch (error) {
      if (isDamage(error)) return error.message;
      throw error;
    }
  }
}

function isDamage(error: unknown): error is JournalUnavailable {
  return error instanceof JournalUnavailable && (error.reason === 'corrupt' || error.reason === 'io-error');
}
