import type { SqliteConnection } from '@tillbridge/platform/sqlite/connection.js';
import { equalConstantTime } from '@tillbridge/wire/bytes.js';
import { type ChainSource, verifyBlobs } from '../chain-verifier.js';
import type { BuiltKept } from '../compaction.js';
import { CHAIN_START, KEPT_START, keptHash, rowHash } from '../hash-chain.js';
import { JournalUnavailable } from '../journal.js';
import { openDatabase } from '../open-database.js';
import type { BuiltRow } from '../row-builder.js';
import { sqliteChainSource } from '../sqlite-rows.js';
import { RestoreError, type RestoreSource } from './restore.js';

/** Rows read at once while the file can be read; then one by one up to the damage. */
const PAGE = 500;

/** A damaged journal file as a restore reads it: everything in front of the damage, nothing behind it. */
export class DamagedJournal implements RestoreSource {
  readonly generation: number;
  readonly #database: SqliteConnection;
  readonly #chain: ChainSource;
  readonly #messages: string[] = [];
  #ended: string | undefined;

  private constructor(database: SqliteConnection, generation: number) {
    this.#database = database;
    this.#chain = sqliteChainSource(database);
    this.generation = generation;
  }

  /** @throws JournalUnavailable when not even the first page can be read */
  static async open(path: string, generation: number): Promise<DamagedJournal> {
    return new DamagedJournal(await openDatabase(path, { access: 'read-only' }), generation);
  }

  /** Why the rows ended where they did; `undefined` where nothing was wrong. */
  get ended(): string | undefined {
    return this.#ended;
  }

  async *rows(): AsyncGenerator<BuiltRow> {
    const checkpoint = await this.#chain.checkpoint().catch(unreadable);
    if (checkpoint === 'unreadable')
      throw new RestoreError('nothing can be read of this journal: restore it from its copy');
    let last = checkpoint?.base ?? CHAIN_START;
    for (;;) {
      const page = await this.#page(last.row);
      for (const row of page) {
        const problem = await this.#problemOf(row, last);
        if (problem !== undefined) {
          this.#ended = problem;
          return;
        }
        if (row.blobHash && row.messageId !== undefined) this.#messages.push(row.messageId);
        last = row;
        yield row;
      }
      if (page.length === 0) return;
    }
  }

  async *kept(): AsyncGenerator<BuiltKept> {
    let { position, hash } = KEPT_START;
    for (;;) {
      const page = await this.#chain.kept(position, PAGE).catch(unreadable);
      if (page === 'unreadable')
        throw new RestoreError(`what compaction kept is damaged behind entry ${position}`);
      for (const entry of page) {
        if (!equalConstantTime(keptHash(hash, entry), entry.hash))
          throw new RestoreError(`what compaction kept is damaged at entry ${entry.position}`);
        ({ position, hash } = entry);
        yield entry;
      }
      if (page.length === 0) return;
    }
  }

  async *blobs(): AsyncGenerator<{ readonly messageId: string; readonly sealed: Uint8Array }> {
    for (const messageId of this.#messages) {
      const { sealed } = await this.#chain.blob(messageId);
      if (sealed) yield { messageId, sealed };
    }
  }

  async close(): Promise<void> {
    await this.#database.close();
  }

  async #page(afterRow: number): Promise<readonly BuiltRow[]> {
    const many = await this.#chain.rows(afterRow, PAGE).catch(unreadable);
    if (many !== 'unreadable') return many;
    const one = await this.#chain.rows(afterRow, 1).catch(unreadable);
    if (one !== 'unreadable') return one;
    this.#ended ??= `the file cannot be read behind row ${afterRow}`;
    return [];
  }

  async #problemOf(
    row: BuiltRow,
    last: { readonly row: number; readonly hash: Uint8Array },
  ): Promise<string | undefined> {
    if (row.row !== last.row + 1) return `row ${last.row + 1} is missing`;
    if (!equalConstantTime(rowHash(last.hash, row), row.hash)) return `row ${row.row} was changed`;
    const blobs = await verifyBlobs(this.#chain, [row]).catch(unreadable);
    if (blobs === 'unreadable') return `the sealed data of row ${row.row} cannot be read`;
    return blobs && `row ${row.row}: ${blobs.problem}`;
  }
}

function unreadable(error: unknown): 'unreadable' {
  if (error instanceof JournalUnavailable) return 'unreadable';
  throw error;
}
