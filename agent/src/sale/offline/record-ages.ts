import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { TimeFloor } from './time-floor.js';

/** The wall clocks of agent and gateway agree within this time, in milliseconds. */
const CLOCK_AGREEMENT_MS = 3_600_000;

/** A record that waits, and when it was journaled. */
export interface AgedRecord {
  readonly messageId: string;
  /** Milliseconds since 1970, by the wall clock of that moment. */
  readonly atMs: number;
}

/** When this process saw a record first. */
export interface FirstSight {
  readonly monotonicMs: number;
  /** An earlier process journaled it: it is older than this process knows by itself. */
  readonly earlier: boolean;
}

/**
 * The age of waiting records, by two clocks that cannot be wrong together: the agent's own and the gateway's. A record has the
 * lower of both ages, so a gateway whose clock is a day ahead expires nothing, and neither does a wall clock here that jumped.
 */
export class RecordAges {
  readonly #clock: Clock;
  readonly #time: TimeFloor;
  readonly #seen: Map<string, FirstSight>;
  #booted: boolean;

  /** @param known what an instance of the same process has seen; none: the process starts */
  constructor(clock: Clock, time: TimeFloor, known?: ReadonlyMap<string, FirstSight>) {
    this.#clock = clock;
    this.#time = time;
    this.#seen = new Map(known);
    this.#booted = known !== undefined;
  }

  /** When this process saw the records that wait. */
  get seen(): ReadonlyMap<string, FirstSight> {
    return this.#seen;
  }

  /** What waits now was journaled by an earlier process; what comes later, by this one. */
  booted(waiting: readonly AgedRecord[]): void {
    for (const { messageId } of waiting) this.#firstSight(messageId);
    this.#booted = true;
  }

  /** Forgets records that wait no more. */
  keep(waiting: readonly AgedRecord[]): void {
    const ids = new Set(waiting.map(({ messageId }) => messageId));
    for (const messageId of this.#seen.keys()) if (!ids.has(messageId)) this.#seen.delete(messageId);
    for (const { messageId } of waiting) this.#firstSight(messageId);
  }

  /** Lowest possible age of a record, by the agent's clocks and the gateway's alike; 0 until the gateway's time was received. */
  sureMs(record: AgedRecord): number {
    return Math.min(this.ownMs(record), this.#time.sureAgeMs(record.atMs));
  }

  /**
   * The age of a record by the agent's own clocks. Of a record of this process the monotonic clock gives it; of an earlier one it gives
   * the minimum, and the wall clock the rest, where that agrees with the gateway's.
   */
  ownMs({ messageId, atMs }: AgedRecord): number {
    const { monotonicMs, earlier } = this.#firstSight(messageId);
    const countedMs = this.#clock.monotonicMs() - monotonicMs;
    if (!earlier || !this.#time.agreesWithin(CLOCK_AGREEMENT_MS)) return countedMs;
    return Math.max(countedMs, this.#clock.nowMs() - atMs);
  }

  #firstSight(messageId: string): FirstSight {
    const known = this.#seen.get(messageId);
    if (known) return known;
    const sight = { monotonicMs: this.#clock.monotonicMs(), earlier: !this.#booted };
    this.#seen.set(messageId, sight);
    return sight;
  }
}
