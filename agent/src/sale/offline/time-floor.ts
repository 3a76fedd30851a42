import type { Clock } from '@tillbridge/wire/seams/clock.js';

/** How far the wall clock may be behind a time received from the gateway without being called wrong: two clocks never agree. */
export const CLOCK_TOLERANCE_MS = 30_000;

/** A time, and when it was so on the clock that only grows. */
interface Reading {
  readonly timeMs: number;
  readonly monotonicMs: number;
}

/** What a process knows of the time; a value. */
export interface KnownTime {
  readonly highestMs: number;
  /** The last time of the journal, until one of the gateway arrives. */
  readonly journaled?: Reading;
  readonly contact?: Omit<StoredTime, 'highestMs' | 'correctedMs'>;
  readonly correctedMs?: number;
  /** The gateway's last time. */
  readonly gateway?: Reading;
}

/** What a process knows before it has read its journal. */
const NOTHING_KNOWN: KnownTime = { highestMs: 0 };

/** What a start reads of the time from the contact row. Milliseconds since 1970. */
export interface StoredTime {
  /** When the gateway's last message arrived, by this agent's time. */
  readonly contactMs: number;
  /** The wall clock then: a gateway whose clock is fast must not make its own contact look younger. */
  readonly contactWallMs: number;
  /** The gateway's time then: a fast wall clock must not either. Rows of earlier versions do not have it. */
  readonly contactGatewayMs?: number;
  /** The highest time when the row was written. */
  readonly highestMs: number;
  /** When the gateway last corrected a highest time that was false. */
  readonly correctedMs?: number;
}

/**
 * Time that never goes back: the highest ever journaled or received from the gateway, or the wall clock beyond it (P6). The gateway's last time,
 * or the journal's until one was received, is counted on by the monotonic clock: else a clock that was set back would be right again once it has
 * come as far, and what it stamps would count as older than it is when it is set right. Ages are measured with it, so that a clock set back makes nothing younger. Only the gateway's own time may take it back:
 * where that is far below, the highest time came from a clock that had jumped ahead, and nothing would ever reach it again.
 */
export class TimeFloor {
  readonly #clock: Clock;
  #known: KnownTime;

  constructor(clock: Clock, known = NOTHING_KNOWN) {
    this.#clock = clock;
    this.#known = known;
  }

  get known(): KnownTime {
    return this.#known;
  }

  /** The wall clock as it is: what rows are stamped with. */
  wallMs(): number {
    return this.#clock.nowMs();
  }

  nowMs(): number {
    return Math.max(this.#clock.nowMs(), this.#knownMs());
  }

  /** A time that was journaled. */
  journaled(timeMs: number): void {
    this.#known = {
      ...this.#known,
      ...(timeMs > this.#knownMs() && { journaled: this.#read(timeMs) }),
      highestMs: Math.max(this.#known.highestMs, timeMs),
    };
  }

  /** Takes a time received from the gateway, which is also a contact. Returns whether it proved the highest time false. */
  noteGatewayTime(gatewayMs: number): boolean {
    const { highestMs } = this.#known;
    const isFalse = highestMs > gatewayMs + CLOCK_TOLERANCE_MS;
    this.#known = {
      ...this.#known,
      highestMs: isFalse ? gatewayMs : Math.max(highestMs, gatewayMs),
      ...(isFalse && { correctedMs: gatewayMs }),
      gateway: this.#read(gatewayMs),
    };
    const contactMs = this.nowMs();
    const contact = { contactMs, contactWallMs: this.#clock.nowMs(), contactGatewayMs: gatewayMs };
    this.#known = { ...this.#known, contact };
    return isFalse;
  }

  /** What the next start needs; `undefined` before the first contact with the gateway. */
  kept(): StoredTime | undefined {
    const { contact, correctedMs } = this.#known;
    if (!contact) return undefined;
    return { ...contact, highestMs: this.#knownMs(), ...(correctedMs !== undefined && { correctedMs }) };
  }

  /** Takes what an earlier boot stored. Times journaled after it have to follow. */
  restore({ highestMs, correctedMs, ...contact }: StoredTime): void {
    this.journaled(highestMs);
    const { correctedMs: _former, ...known } = this.#known;
    this.#known = { ...known, contact, ...(correctedMs !== undefined && { correctedMs }) };
  }

  /** The wall clock is behind what is known: nothing that depends on an age may be trusted to it. */
  isBehind(): boolean {
    return this.#clock.nowMs() < this.#knownMs() - CLOCK_TOLERANCE_MS;
  }

  /**
   * Since the last contact with the gateway, by the clock that makes it longest; `undefined`: never. A gateway whose clock was ahead moved
   * this agent's time with it, the wall clock may have been set back, and the monotonic clock ends with the process: for a contact of an
   * earlier process the gateway's own time counts, too.
   */
  contactAgeMs(): number | undefined {
    const { contact, gateway } = this.#known;
    if (!contact) return undefined;
    const { contactMs, contactWallMs, contactGatewayMs = contactMs } = contact;
    return Math.max(
      this.nowMs() - contactMs,
      this.#clock.nowMs() - contactWallMs,
      gateway ? this.#clock.monotonicMs() - gateway.monotonicMs : this.nowMs() - contactGatewayMs,
    );
  }

  /** Age of a journaled time. One that lies ahead was stamped by a false clock, at the latest when that was corrected. */
  ageMs(timeMs: number): number {
    const nowMs = this.nowMs();
    const isFalse = timeMs > nowMs + CLOCK_TOLERANCE_MS;
    return Math.max(0, nowMs - (isFalse ? Math.min(timeMs, this.#known.correctedMs ?? timeMs) : timeMs));
  }

  /**
   * Lowest possible age of a journaled time: counted by the gateway's time and the monotonic clock, never by the wall clock, which may
   * have jumped ahead. 0 until this process has received the gateway's time.
   */
  sureAgeMs(timeMs: number): number {
    const gatewayMs = this.#gatewayMs();
    return gatewayMs === undefined ? 0 : Math.max(0, gatewayMs - timeMs);
  }

  /** Whether the wall clock and the gateway's time agree now; false until this process has received the gateway's time. */
  agreesWithin(toleranceMs: number): boolean {
    const gatewayMs = this.#gatewayMs();
    return gatewayMs !== undefined && Math.abs(this.#clock.nowMs() - gatewayMs) <= toleranceMs;
  }

  /** The lowest possible time, without the wall clock. */
  #knownMs(): number {
    const { highestMs, gateway, journaled } = this.#known;
    const last = gateway ?? journaled;
    return Math.max(highestMs, last ? this.#countedOn(last) : 0);
  }

  /** The gateway's time now. */
  #gatewayMs(): number | undefined {
    const { gateway } = this.#known;
    return gateway && this.#countedOn(gateway);
  }

  #read(timeMs: number): Reading {
    return { timeMs, monotonicMs: this.#clock.monotonicMs() };
  }

  #countedOn({ timeMs, monotonicMs }: Reading): number {
    return timeMs + this.#clock.monotonicMs() - monotonicMs;
  }
}
