import type { CommitResult } from '@tillbridge/protocol/platform/metrics/commit-metrics.js';
import type { SqliteConnection } from '@tillbridge/protocol/platform/sqlite/connection.js';
import { ConstraintError } from '@tillbridge/protocol/platform/sqlite/database-error.js';
import { GroupCommit, type Waiting } from '@tillbridge/protocol/platform/sqlite/group-commit.js';
import { type BatchStatement, batchStatement } from './batch-statement.js';
import type { TableName } from './rows.js';
import { deleteSql, probeSql, upsertSql } from './sqlite-statements.js';
import { type Change, CommitConflict, type Key, StoreUnavailableError } from './store.js';
import { type AnyRow, keyOf, type Probe, probesOf, WorkingSet } from './working-set.js';

/** Commits that go into one transaction at most. */
export const GROUP_LIMIT = 256;

/** Commits that may wait; more are refused as `overloaded` until some are done. */
export const WAITING_LIMIT = 10_000;

/** Views for batches that a connection has at most; batches of further kinds go the longer way. */
const VIEWS_LIMIT = 256;

type Commit = Waiting<readonly Change[], void>;

/** Writes and deletes a row that needs a page of its own: only a write shows whether the disk has room and allows it. */
const PROBE_SQL =
  "INSERT INTO settings VALUES ('probe', hex(zeroblob(2048)), 1); DELETE FROM settings WHERE name = 'probe'";

function isProbe({ work }: Commit): boolean {
  return work.length === 0;
}

/**
 * The single writer: all commits that came while a transaction ran go into the next one, with one flush to disk (group commit).
 * A commit that conflicts is rejected and leaves the batch; the others are written with one statement per table.
 */
export class SqliteWriter {
  readonly #connection: SqliteConnection;
  readonly #onCommit: (commit: CommitResult) => void;
  readonly #queue: GroupCommit<readonly Change[], void>;
  readonly #views = new Set<string>();

  constructor(connection: SqliteConnection, onCommit: (commit: CommitResult) => void = () => undefined) {
    this.#connection = connection;
    this.#onCommit = onCommit;
    this.#queue = new GroupCommit(
      (batch) => this.#runBoth(batch),
      { maxBatch: GROUP_LIMIT, maxWaiting: WAITING_LIMIT },
      (fault, detail) => new StoreUnavailableError(fault, detail),
    );
  }

  /** Queues a commit; see `Store.commit`. An empty one checks that the database can be written. */
  commit(changes: readonly Change[]): Promise<void> {
    return this.#queue.add(changes);
  }

  /** Carries out waiting commits and refuses later ones. */
  close(): Promise<void> {
    return this.#queue.close();
  }

  async #runBoth(batch: readonly Commit[]): Promise<void> {
    const [commits, probes] = [batch.filter((one) => !isProbe(one)), batch.filter(isProbe)];
    // A probe may need more room than a small commit: it must not fail that commit.
    if (commits.length > 0) await this.#runBatch(commits);
    if (probes.length > 0) await this.#runBatch(probes);
  }

  async #runBatch(batch: readonly Commit[]): Promise<void> {
    const startedMs = performance.now();
    const report = (ok: boolean): void =>
      this.#onCommit({ writes: batch.length, seconds: (performance.now() - startedMs) / 1_000, ok });
    try {
      const verdicts = (await this.#asOneStatement(batch)) ?? (await this.#transaction(batch));
      report(true);
      batch.forEach((waiting, at) => {
        const verdict = verdicts[at];
        if (verdict) waiting.reject(verdict);
        else waiting.resolve();
      });
    } catch (error) {
      report(false);
      await this.#afterFailure(batch, error instanceof Error ? error : new Error(String(error)));
    }
  }

  /** Runs the commits of a failed batch one by one: a broken constraint must fail its own commit only. */
  async #afterFailure(batch: readonly Commit[], error: Error): Promise<void> {
    if (batch.length > 1 && !(error instanceof StoreUnavailableError)) {
      for (const waiting of batch) await this.#runBatch([waiting]);
      return;
    }
    for (const waiting of batch) waiting.reject(error);
  }

  /** Carries out the whole batch; undefined where it is of another kind or one of its commits might conflict: nothing is written then. */
  async #asOneStatement(batch: readonly Commit[]): Promise<readonly undefined[] | undefined> {
    const statement = batch.some(isProbe) ? undefined : batchStatement(batch.flatMap(({ work }) => work));
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

  #transaction(batch: readonly Commit[]): Promise<(CommitConflict | undefined)[]> {
    return this.#connection.transaction(async () => {
      const set = await this.#load(batch.flatMap((waiting) => probesOf(waiting.work)));
      const verdicts = batch.map((waiting) => {
        const conflict = set.tryApply(waiting.work);
        return conflict && new CommitConflict(conflict);
      });
      const { written, deleted } = set.takeDirty();
      // A deleted row first: a written one may take its place in a unique index.
      for (const [table, rows] of deleted) {
        const keys = rows.map((row) => keyOf(table, row));
        await this.#connection.run(deleteSql(table), JSON.stringify(keys));
      }
      for (const [table, rows] of written) await this.#connection.run(upsertSql(table), JSON.stringify(rows));
      if (batch.some(isProbe)) await this.#connection.exec(PROBE_SQL);
      return verdicts;
    });
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
      const rows = await this.#connection.all<AnyRow>(probeSql(table, index), JSON.stringify(values));
      for (const row of rows) set.load(table, row);
    }
    return set;
  }
}
