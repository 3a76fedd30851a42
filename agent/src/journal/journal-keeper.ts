import type { Clock, Timer } from '@tillbridge/wire/seams/clock.js';
import {
  type Compaction,
  JOURNAL_LIMITS,
  type Journal,
  type JournalRow,
  JournalUnavailable,
} from './journal.js';
import { STANDING_KINDS } from './standing.js';

/** Times and amounts of the journal's upkeep, by name. */
export const KEEPER_LIMITS = {
  /** How often a piece of the journal is verified. */
  scrubIntervalMs: 15_000,
  /** Hashed in one go while sales wait: a few milliseconds. */
  rowsPerScrub: 1_000,
  /** How often it is looked whether rows are old enough to go. */
  compactIntervalMs: 3_600_000,
  /** Between two steps of one compaction: sales come first. */
  stepIntervalMs: 200,
  /** Rows that are looked through for a contact, at most, before a step gives up until the next time. */
  maxRowsScanned: 50_000,
} as const;

const DAY_MS = 24 * 3_600_000;

/** What a keeper works with. */
export interface KeeperDeps {
  readonly journal: Journal;
  readonly clock: Clock;
  /** Days that the rows of a finished sale stay. */
  readonly retentionDays: number;
  /** The gateway's time as last received; `undefined` until this process has received one. A local clock removes nothing. */
  readonly gatewayNowMs: () => number | undefined;
  /** The newest row whose hash the gateway keeps: nothing behind it goes, or the chain would have no recorder. */
  readonly confirmedRow: () => number;
  /** The gateway's time of a contact row; `undefined` for other rows. */
  readonly contactMs: (row: JournalRow) => number | undefined;
  /** Kinds of rows of no sale that must outlive compaction. */
  readonly carry: readonly string[];
  readonly summarize: Compaction['summarize'];
  /** Called after each compaction that removed something. */
  readonly onCompacted?: (about: { readonly removedRows: number; readonly removedTo: number }) => void;
  readonly onFault?: (error: unknown) => void;
}

/** Upkeep of the journal while the agent runs: verifies it piece by piece, and removes what is old enough and closed. */
export class JournalKeeper {
  readonly #deps: KeeperDeps;
  #timers: Timer[] = [];
  #compactDueMs: number;
  #closed = false;
  #heldBy: string | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(deps: KeeperDeps) {
    this.#deps = deps;
    this.#compactDueMs = deps.clock.nowMs();
  }

  /** The sale that keeps the next row from being removed, as the last compaction found it. */
  get heldBy(): string | undefined {
    return this.#heldBy;
  }

  start(): void {
    this.#later(KEEPER_LIMITS.scrubIntervalMs, () => this.#round());
  }

  /** Lets a step under way end. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const timer of this.#timers.splice(0)) timer.cancel();
    await this.#running;
  }

  #later(delayMs: number, work: () => Promise<void>): void {
    if (this.#closed) return;
    const timer = this.#deps.clock.setTimer(delayMs, () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
      this.#running = work().catch((error: unknown) => {
        // The journal reports its state itself, and the next round comes.
        if (!(error instanceof JournalUnavailable)) this.#deps.onFault?.(error);
      });
    });
    this.#timers.push(timer);
  }

  async #round(): Promise<void> {
    const { journal, clock } = this.#deps;
    this.#later(KEEPER_LIMITS.scrubIntervalMs, () => this.#round());
    if (journal.state.kind !== 'ready') return;
    await journal.scrub(KEEPER_LIMITS.rowsPerScrub);
    if (clock.nowMs() < this.#compactDueMs) return;
    this.#compactDueMs = clock.nowMs() + KEEPER_LIMITS.compactIntervalMs;
    await this.#compact();
  }

  async #compact(): Promise<void> {
    const { journal, clock, summarize, carry, onCompacted } = this.#deps;
    const upToRow = Math.min(await this.#oldEnough(), this.#deps.confirmedRow());
    if (this.#closed || upToRow <= 0) return;
    const kinds = [...STANDING_KINDS, ...carry];
    const step = { atMs: clock.nowMs(), upToRow, summarize, carry: kinds };
    const { removedRows, removedTo, heldBy } = await journal.compact(step);
    this.#heldBy = heldBy;
    if (removedRows === 0) return;
    onCompacted?.({ removedRows, removedTo });
    if (removedRows >= JOURNAL_LIMITS.maxRowsPerCompaction)
      this.#later(KEEPER_LIMITS.stepIntervalMs, () => this.#compact());
  }

  /**
   * The last row that is surely older than the retention: rows before a contact with the gateway are older than the time that was
   * received then, by any clock of this machine. 0 when there is none.
   */
  async #oldEnough(): Promise<number> {
    const { journal, gatewayNowMs, retentionDays, contactMs } = this.#deps;
    const nowMs = gatewayNowMs();
    if (nowMs === undefined) return 0;
    const cutoffMs = nowMs - retentionDays * DAY_MS;
    let after = 0;
    let found = 0;
    for (let scanned = 0; scanned < KEEPER_LIMITS.maxRowsScanned && found === 0; ) {
      const rows = await journal.rowsAfter(after, JOURNAL_LIMITS.maxRowsPerCompaction);
      const last = rows.at(-1);
      if (!last) break;
      for (const row of rows) {
        const lastContactMs = contactMs(row);
        if (lastContactMs === undefined) continue;
        if (lastContactMs > cutoffMs) return found;
        found = row.row;
      }
      scanned += rows.length;
      after = last.row;
    }
    return found;
  }
}
