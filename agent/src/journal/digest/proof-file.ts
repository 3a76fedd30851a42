import { existsSync } from 'node:fs';
import type { SqliteConnection } from '@tillbridge/platform/sqlite/connection.js';
import type { WireCountersignedHead } from '@tillbridge/wire/bridge/messages.js';
import { COUNTERSIGNED_ROW } from '../journal.js';
import { openDatabase } from '../open-database.js';
import type { BuiltRow } from '../row-builder.js';
import { readCursor, readLastCheckpoint, selectKept, selectLeaves, selectRows } from '../sqlite-rows.js';
import { headOfRow } from './head-row.js';
import type { DigestSource } from './journal-digest.js';
import { digestBase } from './journal-source.js';

/** How long a read waits for the agent, in milliseconds. */
const READ_TIMEOUT_MS = 5_000;

/** A journal file as a proof is made of it: it is only read, and the agent that owns it may run meanwhile. */
export class ProofFile {
  readonly #database: SqliteConnection;

  private constructor(database: SqliteConnection) {
    this.#database = database;
  }

  /** Undefined where there is no file. @throws JournalUnavailable */
  static async open(path: string): Promise<ProofFile | undefined> {
    if (!existsSync(path)) return undefined;
    return new ProofFile(await openDatabase(path, { access: 'read-only', busyTimeoutMs: READ_TIMEOUT_MS }));
  }

  /** The rows of a sale, oldest first, and whether compaction has removed some of them. @throws JournalUnavailable */
  async sale(
    reference: string,
  ): Promise<{ readonly rows: readonly BuiltRow[]; readonly isCompacted: boolean }> {
    const rows = await selectRows(this.#database, 'reference = ? ORDER BY row', reference);
    const kept = await selectKept(this.#database, 'reference = ? LIMIT 1', reference);
    return { rows: rows as readonly BuiltRow[], isCompacted: kept.length > 0 };
  }

  /** The first head at or behind a row that the gateway has countersigned, and the newest one. @throws JournalUnavailable */
  async countersigned(row: number): Promise<{
    readonly covering: WireCountersignedHead | undefined;
    readonly newest: WireCountersignedHead | undefined;
  }> {
    const rows = await selectRows(this.#database, 'kind = ? ORDER BY row', COUNTERSIGNED_ROW);
    const heads = rows.flatMap((each) => headOfRow(each) ?? []);
    return { covering: heads.find((head) => head.row >= row), newest: heads.at(-1) };
  }

  /** The journal as its digest tree is computed. */
  get source(): DigestSource {
    return {
      base: async () => digestBase(await readLastCheckpoint(this.#database)),
      leaves: (afterRow, limit) => selectLeaves(this.#database, afterRow, limit),
    };
  }

  /** The hash of the row before a row; undefined where it is not there. @throws JournalUnavailable */
  async hashBefore(row: number): Promise<Uint8Array | undefined> {
    const { base } = await readCursor(this.#database);
    if (row - 1 === base.row) return base.hash;
    return (await selectLeaves(this.#database, row - 2, 1))[0]?.hash;
  }

  async close(): Promise<void> {
    await this.#database.close();
  }
}
