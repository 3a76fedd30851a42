import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import { IDEMPOTENCY_RETENTION_MS } from '../../core/payment-api/idempotency/decide.js';
import { RISK_RULE_LIMITS } from '../../features/risk/rules/risk-rules.js';
import { ACCOUNT_FAILURE_LIMITS } from '../../security/devices/account-failures.js';
import { EVENT_KEEP_MS } from '../events/event-changes.js';
import type { Rows } from '../store/rows.js';
import { type Change, CommitConflict, type Store } from '../store/store.js';
import { asRow, keyOf } from '../store/working-set.js';

const DAY_MS = 24 * 3_600_000;

/**
 * How long rows are kept that only guard against what comes late, and by which index their age is found. A tombstone outlives every
 * offline record many times over (they expire within days); a card's counter is kept longer than a copy of its data could be of use; of
 * alerts only those that have ended. An Idempotency-Key goes with its answer; an enrolment code is of no use after minutes, and a shopper
 * who comes back a day after the payment ended is late.
 * A request for a checkout within a week is answered that it has expired; that of a payment link is stored as long as the link is good.
 * A wallet's token is refused as expired before its use is forgotten. No issuer takes a proof of 3D Secure that is a year old (90 days are usual).
 * With the use of a KSN its device remembers that no counter up to it is taken any more: whatever comes below is as old.
 */
export const RETENTION = {
  tombstones: { index: 'age', keepMs: 400 * DAY_MS },
  usedAtcs: { index: 'age', keepMs: 400 * DAY_MS },
  alerts: { index: 'ended', keepMs: 400 * DAY_MS },
  usedKsns: { index: 'age', keepMs: 400 * DAY_MS },
  usedProofs: { index: 'age', keepMs: 400 * DAY_MS },
  // Money that comes too late is found for as long as it can be asked for.
  transferReferences: { index: 'age', keepMs: 400 * DAY_MS },
  transferReceipts: { index: 'age', keepMs: 400 * DAY_MS },
  riskAttempts: { index: 'age', keepMs: RISK_RULE_LIMITS.minutes * 60_000 },
  usedWalletTokens: { index: 'expiry', keepMs: DAY_MS },
  accountFailures: { index: 'age', keepMs: ACCOUNT_FAILURE_LIMITS.windowMs },
  idempotency: { index: 'age', keepMs: IDEMPOTENCY_RETENTION_MS },
  enrolmentCodes: { index: 'age', keepMs: DAY_MS },
  agentCommands: { index: 'age', keepMs: 30 * DAY_MS },
  waits: { index: 'ended', keepMs: DAY_MS },
  events: { index: 'expiry', keepMs: 0 },
  deliveries: { index: 'age', keepMs: EVENT_KEEP_MS },
  outbox: { index: 'age', keepMs: 90 * DAY_MS },
  authentications: { index: 'age', keepMs: 90 * DAY_MS },
  checkouts: { index: 'kept', keepMs: 0 },
  recentUses: { index: 'expiry', keepMs: 0 },
  standInCounts: { index: 'expiry', keepMs: 0 },
  // A year, for which a link is good at most, and a season.
  paymentLinks: { index: 'age', keepMs: 455 * DAY_MS },
} as const;

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

type Swept = keyof typeof RETENTION;

/** Deletes by a rule of its own; returns how many rows went. */
type Sweep = () => Promise<number>;

/** Forgets rows that are too old to matter, the oldest first, so many at a time. */
export class Retention {
  readonly #store: Pick<Store, 'findRange' | 'commit'>;
  readonly #clock: Pick<Clock, 'nowMs' | 'monotonicMs'>;
  readonly #others: readonly Sweep[];
  /** Wall clock minus monotonic clock, when the last sweep looked. */
  #offsetMs: number;
  #isBehind = false;

  constructor(
    store: Pick<Store, 'findRange' | 'commit'>,
    clock: Pick<Clock, 'nowMs' | 'monotonicMs'>,
    others: readonly Sweep[] = [],
  ) {
    this.#store = store;
    this.#clock = clock;
    this.#others = others;
    this.#offsetMs = clock.nowMs() - clock.monotonicMs();
  }

  /** From the last sweep to the next, in milliseconds. */
  get nextInMs(): number {
    return this.#isBehind ? RETENTION_LIMITS.behindMs : RETENTION_LIMITS.intervalMs;
  }

  /**
   * One sweep. A wall clock that has just jumped forgets nothing (P6): what it says is believed once it has stood for a whole interval.
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
    for (const table of Object.keys(RETENTION) as Swept[]) gone += await this.#sweepTable(table);
    for (const sweep of this.#others) gone += await sweep();
    return gone;
  }

  async #sweepTable(table: Swept): Promise<number> {
    const { index, keepMs } = RETENTION[table];
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
function remembered(row: Rows[Swept]): readonly Change[] {
  if (!('ksn' in row) || row.counter === null) return [];
  return [{ op: 'raise-counter', serial: row.serial, column: 'forgottenCounter', to: row.counter }];
}

function deletion(table: Swept, row: Rows[Swept]): Change {
  return { op: 'delete', table, key: keyOf(table, asRow(row)), version: row.version };
}
