import type { Batch } from './batch.js';
import type { TableName } from './rows.js';
import type { SqliteConnection } from './sqlite-connection.js';
import { deleteSql, probeSql, upsertSql } from './sqlite-statements.js';
import { type Change, CommitConflict, type Key, StoreUnavailableError } from './store.js';
import { keyOf, type Probe, probesOf, WorkingSet } from './working-set.js';

/** Commits that go into one transaction at most. */
export const GROUP_LIMIT = 256;

/** Commits that may wait; more are refused as `busy` until some are done. */
export const WAITING_LIMIT = 10_000;

interface Waiting {
  readonly changes: readonly Change[];
  resolve(): void;
  reject(error: Error): void;
}

/** Only a write can tell whether there is room, and leave to write: a row that needs a page of its own comes and goes. */
const PROBE_SQL =
  "INSERT INTO settings VALUES ('probe', hex(zeroblob(2048)), 1); DELETE FROM settings WHERE name = 'probe'";

function isProbe({ changes }: Waiting): boolean {
  return changes.length === 0;
}

/**
 * The single writer: all commits that came while a transaction ran go into the next one, with one flush to disk (group commit).
 * Losers are dropped from the batch with their conflict; the others are written with one statement per table.
 */
export class SqliteWriter {
  readonly #connection: SqliteConnection;
  readonly #onBatch: (batch: Batch) => void;
  readonly #waiting: Waiting[] = [];
  #running: Promise<void> | undefined;
  #closed = false;

  constructor(connection: SqliteConnection, onBatch: (batch: Batch) => void = () => undefined) {
    this.#connection = connection;
    this.#onBatch = onBatch;
  }

  /** Queues a commit; see `Store.commit`. An empty one tells whether the database can be written: it takes a page and gives it back. */
  commit(changes: readonly Change[]): Promise<void> {
    if (this.#closed) return Promise.reject(new StoreUnavailableError('closed', 'the store is closed'));
    if (this.#waiting.length >= WAITING_LIMIT) {
      return Promise.reject(
        new StoreUnavailableError('busy', `${WAITING_LIMIT} commits are waiting already`),
      );
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ changes, resolve, reject });
      this.#running ??= this.#drain();
    });
  }

  /** Carries out what waits, then takes no more. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
  }

  async #drain(): Promise<void> {
    // One turn of the event loop lets requests that arrived together share the first transaction.
    await new Promise(setImmediate);
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, GROUP_LIMIT);
      const [commits, probes] = [batch.filter((one) => !isProbe(one)), batch.filter(isProbe)];
      // A probe may need more room than a small commit: it must not take that commit down with it.
      if (commits.length > 0) await this.#runBatch(commits);
      if (probes.length > 0) await this.#runBatch(probes);
    }
    this.#running = undefined;
  }

  async #runBatch(batch: readonly Waiting[]): Promise<void> {
    const startedMs = performance.now();
    const told = (ok: boolean): void =>
      this.#onBatch({ commits: batch.length, seconds: (performance.now() - startedMs) / 1_000, ok });
    try {
      const verdicts = await this.#transaction(batch);
      told(true);
      batch.forEach((waiting, at) => {
        const verdict = verdicts[at];
        if (verdict) waiting.reject(verdict);
        else waiting.resolve();
      });
    } catch (error) {
      told(false);
      await this.#afterFailure(batch, error instanceof Error ? error : new Error(String(error)));
    }
  }

  /** A broken constraint is one commit's mistake: the others of its batch must not pay for it. */
  async #afterFailure(batch: readonly Waiting[], error: Error): Promise<void> {
    if (batch.length > 1 && !(error instanceof StoreUnavailableError)) {
      for (const waiting of batch) await this.#runBatch([waiting]);
      return;
    }
    for (const waiting of batch) waiting.reject(error);
  }

  async #transaction(batch: readonly Waiting[]): Promise<(CommitConflict | undefined)[]> {
    // IMMEDIATE takes the write lock first: what is read below cannot change before the commit.
    await this.#connection.exec('BEGIN IMMEDIATE; PRAGMA defer_foreign_keys = ON;');
    try {
      const set = await this.#load(batch.flatMap((waiting) => probesOf(waiting.changes)));
      const verdicts = batch.map((waiting) => {
        const conflict = set.tryApply(waiting.changes);
        return conflict && new CommitConflict(conflict);
      });
      const { written, deleted } = set.takeDirty();
      // A deleted row first: a written one may take its place in a unique index.
      for (const [table, rows] of deleted) {
        const keys = rows.map((row) => keyOf(table, row));
        await this.#connection.run(deleteSql(table), [JSON.stringify(keys)]);
      }
      for (const [table, rows] of written)
        await this.#connection.run(upsertSql(table), [JSON.stringify(rows)]);
      const probed = batch.some(isProbe);
      if (probed) await this.#connection.exec(PROBE_SQL);
      const changed = written.size + deleted.size > 0;
      await this.#connection.exec(changed || probed ? 'COMMIT' : 'ROLLBACK');
      return verdicts;
    } catch (error) {
      // After a full disk or an I/O error SQLite may have rolled back by itself; then this fails, and that is fine.
      await this.#connection.exec('ROLLBACK').catch(() => undefined);
      throw error;
    }
  }

  async #load(probes: readonly Probe[]): Promise<WorkingSet> {
    const grouped = new Map<string, { table: TableName; index: string; values: Key[] }>();
    for (const { table, index, values } of probes) {
      const group = grouped.get(`${table}/${index}`);
      if (group) group.values.push(values);
      else grouped.set(`${table}/${index}`, { table, index, values: [values] });
    }
    const set = new WorkingSet();
    for (const { table, index, values } of grouped.values()) {
      const rows = await this.#connection.all(probeSql(table, index), [JSON.stringify(values)]);
      for (const row of rows) set.load(table, row);
    }
    return set;
  }
}
