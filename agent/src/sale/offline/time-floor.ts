import type { Clock } from '@tillbridge/wire/seams/clock.js';

/** How far the wall clock may be behind a time received from the gateway without being called wrong: two clocks never agree. */
export const CLOCK_TOLERANCE_MS = 30_000;

/** A time, and when it was so on the clock that only grows. */
interface Reading {
  readonly timeMs: number;
  readonly monotonicMs: number;
}

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
  #highestMs = 0;
  /** The last time of the journal, until one of the gateway arrives. */
  #journaled: Reading | undefined;
  #contact: Omit<StoredTime, 'highestMs' | 'correctedMs'> | undefined;
  #correctedMs: number | undefined;
  /** The gateway's last time. */
  #gateway: Reading | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
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
    if (timeMs > this.#knownMs()) this.#journaled = this.#read(timeMs);
    this.#highestMs = Math.max(this.#highestMs, timeMs);
  }

  /** Takes a time received from the gateway, which is also a contact. Returns whether it proved the highest time false. */
  noteGatewayTime(gatewayMs: number): boolean {
    const isFalse = this.#highestMs > gatewayMs + CLOCK_TOLERANCE_MS;
    this.#highestMs = isFalse ? gatewayMs : Math.max(this.#highestMs, gatewayMs);
    if (isFalse) this.#correctedMs = gatewayMs;
    this.#gateway = this.#read(gatewayMs);
    this.#contact = {
      contactMs: this.nowMs(),
      contactWallMs: this.#clock.nowMs(),
      contactGatewayMs: gatewayMs,
    };
    return isFalse;
  }

  /** What the next start needs; `undefined` before the first contact with the gateway. */
  kept(): StoredTime | undefined {
    if (!this.#contact) return undefined;
    const corrected = this.#correctedMs === undefined ? {} : { correctedMs: this.#correctedMs };
    return { ...this.#contact, highestMs: this.#knownMs(), ...corrected };
  }

  /** Takes what an earlier boot stored. Times journaled after it have to follow. */
  restore({ highestMs, correctedMs, ...contact }: StoredTime): void {
    this.journaled(highestMs);
    this.#contact = contact;
    this.#correctedMs = correctedMs;
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
    if (!this.#contact) return undefined;
    const { contactMs, contactWallMs, contactGatewayMs = contactMs } = this.#contact;
    return Math.max(
      this.nowMs() - contactMs,
      this.#clock.nowMs() - contactWallMs,
      this.#gateway ? this.#clock.monotonicMs() - this.#gateway.monotonicMs : this.nowMs() - contactGatewayMs,
    );
  }

  /** Age of a journaled time. One that lies ahead was stamped by a false clock, at the latest when that was corrected. */
  ageMs(timeMs: number): number {
    const nowMs = this.nowMs();
    const isFalse = timeMs > nowMs + CLOCK_TOLERANCE_MS;
    return Math.max(0, nowMs - (isFalse ? Math.min(timeMs, this.#correctedMs ?? timeMs) : timeMs));
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
    const last = this.#gateway ?? this.#journaled;
    return Math.max(this.#highestMs, last ? this.#countedOn(last) : 0);
  }

  /** The gateway's time now. */
  #gatewayMs(): number | undefined {
    return this.#gateway && this.#countedOn(this.#gateway);
  }

  #read(timeMs: number): Reading {
    return { timeMs, monotonicMs: this.#clock.monotonicMs() };
  }

  #countedOn({ timeMs, monotonicMs }: Reading): number {
    return timeMs + this.#clock.monotonicMs() - monotonicMs;
  }
}
