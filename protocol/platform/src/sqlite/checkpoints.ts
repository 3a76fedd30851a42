import type { SqliteConnection } from './connection.js';

/** Assumed pages of a commit until the first checkpoint has counted them. */
const FIRST_GUESS = 8;
/** A checkpoint begins when the log is so full. */
const EARLY = 0.8;

/**
 * Brings the log (WAL) of a database into its file on a separate connection, while commits go on. The commit that finds the log full
 * (`wal_autocheckpoint`) then has few pages left to bring over, and does not stand for the flush of all of them.
 */
export class Checkpoints {
  readonly #connection: Pick<SqliteConnection, 'get' | 'close'>;
  /** Pages of the log at which a commit makes one; here it begins at {@link EARLY} of that. */
  readonly #fullPages: number;
  #pagesPerCommit = FIRST_GUESS;
  /** Pages in the log at the last one. */
  #log = 0;
  #commits = 0;
  #running: Promise<void> | undefined;

  /**
   * @param connection serves nothing else
   * @param fullPages pages of the log at which a commit makes a checkpoint
   */
  constructor(connection: Pick<SqliteConnection, 'get' | 'close'>, fullPages: number) {
    this.#connection = connection;
    this.#fullPages = fullPages;
  }

  /** Call it after every commit. Begins a checkpoint when the log has grown long, by the pages that commits have written so far. */
  committed(): void {
    this.#commits += 1;
    if (this.#running || this.#commits * this.#pagesPerCommit < this.#fullPages * EARLY) return;
    this.#running = this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  /** Waits for the one under way, then closes the connection. */
  async close(): Promise<void> {
    await this.#running;
    await this.#connection.close();
  }

  async #run(): Promise<void> {
    const commits = this.#commits;
    try {
      const row = await this.#connection.get<{ log: number }>('PRAGMA wal_checkpoint(PASSIVE)');
      const log = row?.log ?? 0;
      // A log that is shorter than before was full, and has started over.
      const written = log >= this.#log ? log - this.#log : this.#fullPages - this.#log + log;
      this.#pagesPerCommit = Math.max(1, written / commits);
      this.#log = log;
    } catch {
      // The log stays as it is: a commit brings it over, or fails with the fault of the disk.
    }
    this.#commits -= commits;
  }
}
