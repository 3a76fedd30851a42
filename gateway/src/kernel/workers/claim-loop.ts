import type { Timer } from '@tillbridge/wire/seams/clock.js';
import type { Seams } from '@tillbridge/wire/seams/seams.js';
import { unlessConflict } from '../store/decide-again.js';
import { newId } from '../store/new-id.js';
import type { Change, Store } from '../store/store.js';

/** A row that is work: which node has it, and when it is worked on next. */
export interface Claimable {
  /** When it is worked on next; while it is claimed, when the lease ends. Null: no more. */
  readonly dueAtMs: number | null;
  readonly leasedBy: string | null;
  /** Claims since work on it last came to an end. */
  readonly claims: number;
  readonly version: number;
}

/** The node that claims rows, and what it knows of the others on the database. */
export interface ClaimNode {
  readonly id: string;
  /** How many nodes have ended that were seen before. */
  readonly othersEnded: number;
  /** Whether another node has ended. @throws StoreUnavailableError */
  mayTake(id: string): Promise<boolean>;
}

/** How work ended: the row as it is to be, due again or not, and what changes with it in the same commit. */
export interface WorkDone<R extends Claimable> {
  readonly row: R;
  readonly changes?: readonly Change[];
}

/** Which of many due rows. */
interface DuePage {
  readonly limit: number;
  readonly skip?: number;
}

/** What every loop works with, whatever its rows are. */
export interface ClaimDeps extends Seams {
  /** This node; absent: the end of other nodes is unknown, and every lease is waited for. */
  readonly node?: ClaimNode | undefined;
  /** Called with faults of the database, and of work that throws. */
  readonly onFault: (error: unknown) => void;
}

/** What a {@link ClaimLoop} works with. */
export interface ClaimLoopDeps<R extends Claimable> extends ClaimDeps {
  readonly store: Pick<Store, 'commit'>;
  /** The change that updates a row of the table. */
  readonly update: (row: R) => Change;
  /** Rows that are due from the first time on and before the second, the longest due first. */
  readonly due: (fromMs: number, belowMs: number, page: DuePage) => Promise<readonly R[]>;
  /**
   * Works on a row that was claimed; undefined where a commit of the work itself has given the row back. The signal is aborted once the lease is
   * lost: what is done then is done by two.
   */
  readonly work: (row: R, signal: AbortSignal) => Promise<WorkDone<R> | undefined>;
  /** What becomes of a row that was claimed too often and whose work never came to an end. */
  readonly poisoned: (row: R, nowMs: number) => WorkDone<R>;
  readonly limits?: Partial<ClaimLimits>;
}

export const CLAIM_LIMITS = {
  /** How long a row stays with one that does not renew its lease, in milliseconds. */
  leaseMs: 60_000,
  /** A lease is renewed when this much of it has passed. */
  renewAfterMs: 20_000,
  /** Rows worked on at once. */
  concurrency: 8,
  /** How often due rows are looked for, in milliseconds. */
  pollMs: 1_000,
  /** Claims in a row that come to no end before the row is poisoned. */
  maxClaims: 5,
  /** How long a row waits whose work threw, times the claims so far, in milliseconds. */
  retryMs: 30_000,
  /** Rows that are looked at together for claims of nodes that have ended. */
  page: 500,
};

/** The limits of a loop. */
export type ClaimLimits = typeof CLAIM_LIMITS;

/** Between the node and the claim in `leasedBy`. */
const SEPARATOR = '.';

/** A lease of ours that runs. */
interface Lease<R extends Claimable> {
  /** The row as we last committed it. */
  row: R;
  timer: Timer;
  readonly lost: AbortController;
}

/**
 * Claims rows that are due, works on them and commits what came of it. Claim, renewal and end are commits that carry the version of the
 * row: any number of processes may share one table. A worker that dies loses its lease after a time, and as soon as its node is reported ended;
 * another one then begins the work anew, so work must bear to be done twice. A row that ends every process that works on it is poisoned after some claims.
 */
export class ClaimLoop<R extends Claimable> {
  readonly #deps: ClaimLoopDeps<R>;
  readonly #limits: ClaimLimits;
  readonly #running = new Set<Promise<void>>();
  #looking: Promise<void> | undefined;
  #timer: Timer | undefined;
  #isStopped = false;
  #isStarted = false;
  /** The loop was called while it was looking. */
  #again = false;
  /** Of how many ended nodes the claims were given back. */
  #endedNodes = -1;

  constructor(deps: ClaimLoopDeps<R>) {
    this.#deps = deps;
    this.#limits = { ...CLAIM_LIMITS, ...deps.limits };
  }

  /** Looks for due rows now, and from then on again and again. */
  wake(): void {
    if (this.#isStopped) return;
    this.#isStarted = true;
    if (this.#looking) {
      this.#again = true;
      return;
    }
    this.#timer?.cancel();
    this.#looking = this.#look()
      .catch(this.#deps.onFault)
      .finally(() => {
        this.#looking = undefined;
        if (this.#isStopped) return;
        this.#timer = this.#deps.clock.setTimer(this.#limits.pollMs, () => this.wake());
        if (!this.#again) return;
        this.#again = false;
        this.wake();
      });
  }

  /**
   * Claims a row whether it is due or not, and resolves when the work on it has ended.
   * @returns false where another node has it, or was faster
   * @throws StoreUnavailableError
   */
  async take(row: R): Promise<boolean> {
    const isClaimed = row.leasedBy !== null && (row.dueAtMs ?? 0) > this.#deps.clock.nowMs();
    if (isClaimed || this.#isStopped) return false;
    const begun = await this.#begin(row);
    await begun?.running;
    return begun !== undefined;
  }

  /** Claims nothing more; resolves when the running work has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#timer?.cancel();
    await this.idle();
  }

  /** Resolves when nothing is due any more that was due before, and nothing is worked on. */
  async idle(): Promise<void> {
    while (this.#looking || this.#running.size > 0) await Promise.all([this.#looking, ...this.#running]);
  }

  async #look(): Promise<void> {
    const { clock, due } = this.#deps;
    await this.#takeBack();
    const room = this.#limits.concurrency - this.#running.size;
    if (room <= 0) return;
    const rows = await due(Number.MIN_SAFE_INTEGER, clock.nowMs() + 1, { limit: room });
    for (const row of rows) if (!this.#isStopped) await this.#begin(row);
  }

  /** Makes due what nodes had claimed that have ended since the last look, or before the first. */
  async #takeBack(): Promise<void> {
    const { node, clock, due } = this.#deps;
    if (!node || node.othersEnded === this.#endedNodes) return;
    const ended = node.othersEnded;
    const fromMs = clock.nowMs() + 1;
    const { leaseMs, page: limit } = this.#limits;
    const isEnded = new Map<string, boolean>();
    for (let skip = 0; ; ) {
      // The clock of another node may be ahead.
      const page = await due(fromMs, fromMs + 2 * leaseMs, { limit, skip });
      for (const row of page) {
        const owner = nodeOf(row);
        if (owner !== undefined && !isEnded.has(owner))
          isEnded.set(owner, owner !== node.id && (await node.mayTake(owner)));
        const isFree = owner !== undefined && isEnded.get(owner) === true;
        if (isFree) await this.#update(row, { leasedBy: null, dueAtMs: clock.nowMs() });
        else skip += 1;
      }
      if (page.length < limit) break;
    }
    this.#endedNodes = ended;
  }

  /** Undefined where another node was faster, and where the row is poisoned. */
  async #begin(row: R): Promise<{ readonly running: Promise<void> } | undefined> {
    const { clock, random, poisoned, node } = this.#deps;
    const nowMs = clock.nowMs();
    if (row.claims >= this.#limits.maxClaims) {
      await this.#end(row, poisoned(row, nowMs));
      return undefined;
    }
    // Of its node, and like no other claim of it.
    const leasedBy = node ? `${node.id}${SEPARATOR}${newId(random)}` : newId(random);
    const dueAtMs = nowMs + this.#limits.leaseMs;
    const claimed = await this.#update(row, { leasedBy, dueAtMs, claims: row.claims + 1 });
    if (!claimed) return undefined;
    const running: Promise<void> = this.#work(claimed)
      .catch(this.#deps.onFault)
      .finally(() => {
        this.#running.delete(running);
        // What waited for room is found at once.
        if (this.#isStarted) this.wake();
      });
    this.#running.add(running);
    return { running };
  }

  async #work(claimed: R): Promise<void> {
    const lease: Lease<R> = {
      row: claimed,
      timer: { cancel: () => undefined },
      lost: new AbortController(),
    };
    let renewing: Promise<void> = Promise.resolve();
    const renewLater = (): void => {
      lease.timer = this.#deps.clock.setTimer(this.#limits.renewAfterMs, () => {
        renewing = this.#renew(lease).then((isOurs) => {
          if (isOurs) renewLater();
        });
      });
    };
    renewLater();
    const done = await this.#tryWork(lease);
    lease.timer.cancel();
    await renewing;
    lease.timer.cancel();
    if (done && !lease.lost.signal.aborted) await this.#end(lease.row, done);
  }

  /** The work's own end; one that throws is tried again later, and counts. */
  async #tryWork({ row, lost }: Lease<R>): Promise<WorkDone<R> | undefined> {
    const { work, clock, onFault } = this.#deps;
    try {
      const done = await work(row, lost.signal);
      return done && { ...done, row: { ...done.row, claims: 0 } };
    } catch (error) {
      onFault(error);
      return { row: { ...row, dueAtMs: clock.nowMs() + this.#limits.retryMs * row.claims } };
    }
  }

  /** Returns whether the lease is still ours. */
  async #renew(lease: Lease<R>): Promise<boolean> {
    try {
      const dueAtMs = this.#deps.clock.nowMs() + this.#limits.leaseMs;
      const renewed = await this.#update(lease.row, { dueAtMs });
      if (renewed) lease.row = renewed;
      else lease.lost.abort();
      return renewed !== undefined;
    } catch (error) {
      // The database may be back before the lease ends.
      this.#deps.onFault(error);
      return true;
    }
  }

  async #end({ version }: R, { row, changes = [] }: WorkDone<R>): Promise<void> {
    await this.#update({ ...row, version }, { leasedBy: null }, changes);
  }

  /** Commits a change of the row; undefined when another node has changed it. @throws StoreUnavailableError */
  async #update(row: R, change: Partial<Claimable>, more: readonly Change[] = []): Promise<R | undefined> {
    const changed = { ...row, ...change };
    return unlessConflict(async () => {
      await this.#deps.store.commit([this.#deps.update(changed), ...more]);
      return { ...changed, version: row.version + 1 };
    }, undefined);
  }
}

/** The node whose claim is on a row; undefined where none is, or where the claimer is no registered node. */
function nodeOf({ leasedBy }: Claimable): string | undefined {
  return leasedBy?.includes(SEPARATOR) ? leasedBy.slice(0, leasedBy.indexOf(SEPARATOR)) : undefined;
}
