import { existsSync } from 'node:fs';
import type { SqliteConnection } from '@tillbridge/platform/sqlite/connection.js';
import type { CompactedSale, JournalRow } from './journal.js';
import { openDatabase } from './open-database.js';
import { IS_OPEN, readCursor, selectKept, selectRows } from './sqlite-rows.js';

/** How long a read waits for the agent, in milliseconds. */
const READ_TIMEOUT_MS = 5_000;
/** References that one statement names. */
const REFERENCES_AT_ONCE = 200;

/** Rows of a journal from a time on: sales with all of their rows. */
export interface ExtractedRows {
  /** Oldest first. */
  readonly rows: readonly JournalRow[];
  /** What compaction kept of removed rows of these sales. */
  readonly kept: readonly CompactedSale[];
  /** The last row, and the last one that compaction removed. */
  readonly headRow: number;
  readonly removedTo: number;
}

/** A journal file that is read for an export: the agent that owns it may run meanwhile. */
export class JournalExtract {
  readonly #database: SqliteConnection;

  private constructor(database: SqliteConnection) {
    this.#database = database;
  }

  /** Undefined where there is no file. @throws JournalUnavailable */
  static async open(path: string): Promise<JournalExtract | undefined> {
    if (!existsSync(path)) return undefined;
    const options = { access: 'read-only', busyTimeoutMs: READ_TIMEOUT_MS } as const;
    return new JournalExtract(await openDatabase(path, options));
  }

  /**
   * Every row from the first that is not older than a time, and all earlier rows of the sales among them, and of sales whose messages wait.
   * @param maxRows more rows than that are not read
   * @returns undefined where there are more
   * @throws JournalUnavailable
   */
  async since(sinceMs: number, maxRows: number): Promise<ExtractedRows | undefined> {
    const database = this.#database;
    // One snapshot: a compaction or a sale of the agent changes nothing of it.
    await database.run('BEGIN');
    try {
      const { head, base } = await readCursor(database);
      const [first] = await selectRows(database, 'atMs >= ? ORDER BY row LIMIT 1', sinceMs);
      const from = first?.row ?? head.row + 1;
      const rows = new Map<number, JournalRow>();
      for (const row of await selectRows(database, 'row >= ? ORDER BY row LIMIT ?', from, maxRows + 1))
        rows.set(row.row, row);
      const waiting = await selectRows(database, `sequence > 0 AND ${IS_OPEN} ORDER BY row`);
      const touched = [...rows.values(), ...waiting].map(({ reference }) => reference);
      const references = [...new Set(touched)].filter((reference) => reference !== '');
      const kept: CompactedSale[] = [];
      for (let at = 0; at < references.length && rows.size <= maxRows; at += REFERENCES_AT_ONCE) {
        const some = references.slice(at, at + REFERENCES_AT_ONCE);
        const among = `reference IN (${some.map(() => '?').join(', ')})`;
        for (const row of await selectRows(database, `${among} ORDER BY row`, ...some))
          rows.set(row.row, row);
        kept.push(...newest(await selectKept(database, `${among} ORDER BY position`, ...some)));
      }
      if (rows.size > maxRows) return undefined;
      const inOrder = [...rows.values()].sort((one, other) => one.row - other.row);
      return { rows: inOrder, kept, headRow: head.row, removedTo: base.row };
    } finally {
      await database.run('ROLLBACK');
    }
  }

  async close(): Promise<void> {
    await this.#database.close();
  }
}

/** Of each sale the last entry: it holds those before it. */
function newest(kept: readonly CompactedSale[]): readonly CompactedSale[] {
  return [...new Map(kept.map((entry) => [entry.reference, entry])).values()];
}
