import type { CommitResult } from '@tillbridge/platform/metrics/commit-metrics.js';
import { GroupCommit, type Waiting } from '@tillbridge/platform/sqlite/group-commit.js';
import { type Change, CommitConflict, type Scalar, StoreUnavailableError } from './store.js';
import type { WorkingSet } from './working-set.js';

/** The changes of a commit. */
export type Commit = readonly Change[];

/** For each commit of a batch the conflict that it met, if any. */
export type Verdicts = readonly (CommitConflict | undefined)[];

/** What carries out commits on a database of one engine. */
export interface BatchEngine {
  /**
   * Carries out the commits that do not conflict, in one transaction.
   * @throws ConstraintError, StoreUnavailableError: nothing of the batch was written
   */
  carryOut(batch: readonly Commit[]): Promise<Verdicts>;
  /** Checks that the database can be written now. @throws StoreUnavailableError */
  probe(): Promise<void>;
}

/** Limits of the queue of an engine. */
export interface CommitLimits {
  /** Commits that go into one transaction at most. */
  readonly maxBatch: number;
  /** Commits that may wait; more are refused as `overloaded` until some are done. */
  readonly maxWaiting: number;
}

/** Connections to a database server for reading. */
export interface PoolNumbers {
  readonly open: number;
  readonly idle: number;
  /** Queries that wait for one. */
  readonly waiting: number;
}

/** What a store on a server has open, and what waits. */
export interface StoreNumbers extends PoolNumbers {
  /** Commits that wait for a transaction. */
  readonly commits: number;
}

type WaitingCommit = Waiting<Commit, void>;

/**
 * The single writer of a process: all commits that came while a transaction ran go into the next one, with one flush to disk (group
 * commit). A commit that conflicts is rejected and leaves the batch.
 */
export class CommitQueue {
  readonly #engine: BatchEngine;
  readonly #onCommit: (commit: CommitResult) => void;
  readonly #queue: GroupCommit<Commit, void>;

  constructor(
    engine: BatchEngine,
    limits: CommitLimits,
    onCommit: (commit: CommitResult) => void = () => undefined,
  ) {
    this.#engine = engine;
    this.#onCommit = onCommit;
    this.#queue = new GroupCommit(
      (batch) => this.#runBoth(batch),
      limits,
      (fault, detail) => new StoreUnavailableError(fault, detail),
    );
  }

  /** Queues a commit; see `Store.commit`. An empty one checks that the database can be written. */
  async commit(changes: Commit): Promise<void> {
    refuseNul(changes);
    return this.#queue.add(changes);
  }

  /** Commits that wait for a transaction. */
  get waiting(): number {
    return this.#queue.waiting;
  }

  /** Carries out waiting commits and refuses later ones. */
  close(): Promise<void> {
    return this.#queue.close();
  }

  async #runBoth(batch: readonly WaitingCommit[]): Promise<void> {
    const isProbe = ({ work }: WaitingCommit): boolean => work.length === 0;
    const [commits, probes] = [batch.filter((one) => !isProbe(one)), batch.filter(isProbe)];
    const carryOut = () => this.#engine.carryOut(commits.map(({ work }) => work));
    // A probe may need more room than a small commit: it must not fail that commit.
    if (commits.length > 0) await this.#runBatch(commits, carryOut);
    if (probes.length > 0) await this.#runBatch(probes, () => this.#engine.probe().then(() => []));
  }

  async #runBatch(batch: readonly WaitingCommit[], run: () => Promise<Verdicts>): Promise<void> {
    const startedMs = performance.now();
    const report = (ok: boolean): void =>
      this.#onCommit({ writes: batch.length, seconds: (performance.now() - startedMs) / 1_000, ok });
    try {
      const verdicts = await run();
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
  async #afterFailure(batch: readonly WaitingCommit[], error: Error): Promise<void> {
    if (batch.length > 1 && !(error instanceof StoreUnavailableError)) {
      for (const waiting of batch)
        await this.#runBatch([waiting], () => this.#engine.carryOut([waiting.work]));
      return;
    }
    for (const waiting of batch) waiting.reject(error);
  }
}

/** Judges the commits of a batch one after the other; what the accepted ones changed is in the set. */
export function judgeAll(set: WorkingSet, batch: readonly Commit[]): Verdicts {
  return batch.map((changes) => {
    const conflict = set.tryApply(changes);
    return conflict && new CommitConflict(conflict);
  });
}

/** Refuses a text with NUL. @throws RangeError: PostgreSQL has no place for it, and no text of ours needs it */
export function refuseNul(changes: Commit): void {
  for (const change of changes) {
    if (!('row' in change)) continue;
    // Of every row that is written: a list of its values would be one more thing to collect.
    const row: Readonly<Record<string, Scalar>> = change.row;
    for (const column in row) {
      const value = row[column];
      if (typeof value === 'string' && value.includes('\0'))
        throw new RangeError('a text with the character NUL cannot be stored');
    }
  }
}
