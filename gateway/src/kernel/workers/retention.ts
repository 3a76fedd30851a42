import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { Rows, TableName } from '../store/rows.js';
import { type Change, CommitConflict, type Store } from '../store/store.js';
import { asRow, keyOf } from '../store/working-set.js';

/** How long rows of a table are kept, and by which index their age is found. */
interface RetentionRule {
  readonly index: string;
  readonly keepMs: number;
}

/** Rows that only guard against what comes late, by table. */
export type RetentionRules = { readonly [T in TableName]?: RetentionRule };

/** Bounds of one sweep: what is left waits for the next. */
export const RETENTION_LIMITS = {
  /** Rows of one commit: small enough to hold up no payment behind it. */
  batch: 200,
  /** Commits of one sweep and table. */
  batches: 20,
  /** From one sweep to the next, in milliseconds. */
  intervalMs: 3_600_000,
  /** The same after a sweep that left something: a busy gateway makes more rows in an hour than one sweep takes. */
  behindMs: 5_000,
  /** A wall clock that moved by more than this since the last sweep, beyond the time that passed, is not believed; milliseconds. */
  clockSlackMs: 600_000,
} as const;

/** Deletes by a separate rule; returns how many rows went. */
type Sweep = () => Promise<number>;

/** Forgets rows that are too old to matter, the oldest first, so many at a time. */
export class Retention {
  readonly #store: Pick<Store, 'findRange' | 'commit'>;
  readonly #clock: Pick<Clock, 'nowMs' | 'monotonicMs'>;
  readonly #rules: readonly RetentionRules[];
  readonly #others: readonly Sweep[];
  /** Wall clock minus monotonic clock, when the last sweep looked. */
  #offsetMs: number;
  #isBehind = false;

  constructor(
    store: Pick<Store, 'findRange' | 'commit'>,
    clock: Pick<Clock, 'nowMs' | 'monotonicMs'>,
    rules: readonly RetentionRules[],
    others: readonly Sweep[] = [],
  ) {
    this.#store = store;
    this.#clock = clock;
    this.#rules = rules;
    this.#others = others;
    this.#offsetMs = clock.nowMs() - clock.monotonicMs();
  }

  /** From the last sweep to the next, in milliseconds. */
  get nextInMs(): number {
    return this.#isBehind ? RETENTION_LIMITS.behindMs : RETENTION_LIMITS.intervalMs;
  }

  /**
   * One sweep. A wall clock that has just jumped deletes nothing (P6): the sweep uses its time once it was stable for a whole interval.
   * @returns how many rows went
   * @throws StoreUnavailableError
   */
  async sweep(): Promise<number> {
    const offsetMs = this.#clock.nowMs() - this.#clock.monotonicMs();
    const jumped = Math.abs(offsetMs - this.#offsetMs) > RETENTION_LIMITS.clockSlackMs;
    this.#offsetMs = offsetMs;
    this.#isBehind = false;
    if (jumped) return 0;
    let gone = 0;
    for (const rules of this.#rules)
      for (const table of Object.keys(rules) as TableName[]) {
        const rule = rules[table];
        if (rule) gone += await this.#sweepTable(table, rule);
      }
    for (const sweep of this.#others) gone += await sweep();
    return gone;
  }

  async #sweepTable(table: TableName, { index, keepMs }: RetentionRule): Promise<number> {
    const below = this.#clock.nowMs() - keepMs;
    let gone = 0;
    for (let batch = 0; batch < RETENTION_LIMITS.batches; batch += 1) {
      const rows = await this.#store.findRange(table, index, { below, limit: RETENTION_LIMITS.batch });
      gone += await this.#delete(rows.flatMap((row) => [...remembered(row), deletion(table, row)]));
      if (rows.length < RETENTION_LIMITS.batch) return gone;
    }
    // Where nothing went at all, another try comes soon enough.
    if (gone > 0) this.#isBehind = true;
    return gone;
  }

  async #delete(changes: readonly Change[]): Promise<number> {
    if (changes.length === 0) return 0;
    try {
      await this.#store.commit(changes);
      return changes.filter(({ op }) => op === 'delete').length;
    } catch (error) {
      // One of them is in use again: the next sweep finds the others.
      if (error instanceof CommitConflict) return 0;
      throw error;
    }
  }
}

/** What stays of a row that goes. */
function remembered(row: Rows[TableName]): readonly Change[] {
  if (!('ksn' in row) || row.counter === null) return [];
  return [{ op: 'raise-counter', serial: row.serial, column: 'forgottenCounter', to: row.counter }];
}

function deletion(table: TableName, row: Rows[TableName]): Change {
  return { op: 'delete', table, key: keyOf(table, asRow(row)), version: row.version };
}
