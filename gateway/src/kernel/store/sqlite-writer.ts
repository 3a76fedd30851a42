import type { SqliteConnection } from '@tillbridge/platform/sqlite/connection.js';
import { ConstraintError } from '@tillbridge/platform/sqlite/database-error.js';
import { type BatchStatement, batchStatement } from './batch-statement.js';
import { type BatchEngine, type Commit, type CommitLimits, judgeAll, type Verdicts } from './commit-queue.js';
import { readRows, SQLITE } from './sqlite-statements.js';
import { type AnyRow, groupProbes, keyOf, type Probe, probesOf, WorkingSet } from './working-set.js';

/** Limits of the queue before a SQLite file. */
export const SQLITE_COMMIT_LIMITS: CommitLimits = { maxBatch: 256, maxWaiting: 10_000 };

/** Views for batches that a connection has at most; batches of further kinds go the longer way. */
const VIEWS_LIMIT = 256;

/** Writes and deletes a row that needs its own page: only a write shows whether the disk has room and allows it. */
const PROBE_SQL =
  "INSERT INTO settings VALUES ('probe', hex(zeroblob(2048)), 1); DELETE FROM settings WHERE name = 'probe'";

/** Carries out batches of commits on a SQLite file: as one statement where it can, or judged row by row and written table by table. */
export class SqliteWriter implements BatchEngine {
  readonly #connection: SqliteConnection;
  readonly #views = new Set<string>();

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  async carryOut(batch: readonly Commit[]): Promise<Verdicts> {
    return (await this.#asOneStatement(batch)) ?? this.#transaction(batch);
  }

  probe(): Promise<void> {
    return this.#connection.transaction(() => this.#connection.exec(PROBE_SQL));
  }

  /** Carries out the whole batch; undefined where it is of another kind or one of its commits might conflict: nothing is written then. */
  async #asOneStatement(batch: readonly Commit[]): Promise<Verdicts | undefined> {
    const statement = batchStatement(batch.flat());
    if (!statement || !(await this.#hasView(statement))) return undefined;
    try {
      await this.#connection.run(statement.sql, ...statement.values);
      return [];
    } catch (error) {
      if (error instanceof ConstraintError) return undefined;
      throw error;
    }
  }

  /** Whether the connection has the view of a statement; makes it once. False once there are too many. */
  async #hasView({ view, schema }: BatchStatement): Promise<boolean> {
    if (this.#views.has(view)) return true;
    if (this.#views.size >= VIEWS_LIMIT) return false;
    await this.#connection.exec(schema());
    this.#views.add(view);
    return true;
  }

  #transaction(batch: readonly Commit[]): Promise<Verdicts> {
    return this.#connection.transaction(async () => {
      const set = await this.#load(batch.flatMap(probesOf));
      const verdicts = judgeAll(set, batch);
      const { written, deleted } = set.takeDirty();
      // A deleted row first: a written one may take its place in a unique index.
      for (const [table, rows] of deleted) {
        const keys = rows.map((row) => keyOf(table, row));
        await this.#connection.run(SQLITE.delete(table), JSON.stringify(keys));
      }
      for (const [table, rows] of written)
        await this.#connection.run(SQLITE.upsert(table), JSON.stringify(rows));
      return verdicts;
    });
  }

  async #load(probes: readonly Probe[]): Promise<WorkingSet> {
    const set = new WorkingSet();
    for (const { table, index, keys } of groupProbes(probes)) {
      const rows = await readRows<AnyRow>(this.#connection, SQLITE.probe(table, index), [
        JSON.stringify(keys),
      ]);
      for (const row of rows) set.load(table, row);
    }
    return set;
  }
}
