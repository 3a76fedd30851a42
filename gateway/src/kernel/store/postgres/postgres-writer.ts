import {
  type BatchEngine,
  type Commit,
  type CommitLimits,
  judgeAll,
  type Verdicts,
} from '../commit-queue.js';
import type { Change } from '../store.js';
import { type AnyRow, groupProbes, keyOf, nameOf, probesOf, WorkingSet } from '../working-set.js';
import type { PostgresConnections } from './connection.js';
import { columnsOf, LOCK_SQL, POSTGRES } from './statements.js';

/**
 * Limits of the queue before a server. A commit takes about ten locks, and the server has room for 6,400 at once (`max_locks_per_transaction`
 * by `max_connections`, as they are preset).
 */
export const POSTGRES_COMMIT_LIMITS: CommitLimits = { maxBatch: 64, maxWaiting: 10_000 };

/** What the check of the database writes: text that does not shrink much, so that it needs room. */
const PROBE_SQL =
  "INSERT INTO settings (name, value, version) SELECT 'probe', string_agg(md5(n::text), ''), 1 FROM generate_series(1, 128) AS n ON CONFLICT (name) DO UPDATE SET value = excluded.value";

/**
 * Carries out batches of commits on PostgreSQL, in parallel with other nodes. Before a batch is judged it takes a lock for every row that it depends on,
 * also for rows that are not there: two nodes never judge the same row at once, and none relies on an absence that another one ends (write
 * skew). Rows that a commit only looks at are locked together with others that only look.
 */
export class PostgresWriter implements BatchEngine {
  readonly #connections: PostgresConnections;

  constructor(connections: PostgresConnections) {
    this.#connections = connections;
  }

  carryOut(batch: readonly Commit[]): Promise<Verdicts> {
    const locks = locksOf(batch.flat());
    const groups = groupProbes(batch.flatMap(probesOf));
    return this.#connections.transaction(async (run) => {
      // One way to the server and back: each of the queries sees what was committed before the locks were taken.
      const [, ...found] = await Promise.all([
        run(LOCK_SQL, [[...locks.keys()], [...locks.values()]]),
        ...groups.map(({ table, index, keys }) => run<AnyRow>(POSTGRES.probe(table, index), columnsOf(keys))),
      ]);
      const set = new WorkingSet();
      groups.forEach(({ table }, at) => {
        for (const row of found[at] ?? []) set.load(table, row);
      });
      const verdicts = judgeAll(set, batch);
      const { written, deleted } = set.takeDirty();
      // A deleted row first: a written one may take its place in a unique index. The commit follows without waiting for them.
      for (const [table, rows] of deleted)
        void run(POSTGRES.delete(table), columnsOf(rows.map((row) => keyOf(table, row)))).catch(
          () => undefined,
        );
      for (const [table, rows] of written)
        void run(POSTGRES.upsert(table), [JSON.stringify(rows)]).catch(() => undefined);
      return verdicts;
    });
  }

  async probe(): Promise<void> {
    await this.#connections.transaction((run) => run(PROBE_SQL));
  }
}

/** Names of what a batch depends on, and whether it may change it. */
function locksOf(changes: readonly Change[]): ReadonlyMap<string, boolean> {
  const locks = new Map<string, boolean>();
  for (const change of changes) {
    const changesIt = change.op !== 'require-absent' && change.op !== 'require-field';
    for (const probe of probesOf([change])) {
      const name = nameOf(probe);
      locks.set(name, changesIt || locks.get(name) === true);
    }
  }
  return locks;
}
