import type { Clock } from '@tillbridge/protocol/seams/clock.js';

/** How far the wall clock may be behind a time heard from the gateway without being called wrong: two clocks never agree. */
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
 * Time that never goes back: the highest ever journaled or heard from the gateway, or the wall clock beyond it (P6). What the gateway said last,
 * or until it was heard the journal, is counted on by the clock that only grows: else a clock that was set back would be right again once it has
 * come as far, and what it stamps would count as older than it is when it is set right. Ages are measured with it, so that a clock set back makes nothing younger. Only the gateway's own time may take it back:
 * where that is far below, the highest time came from a clock that had jumped ahead, and nothing would ever reach it again.
 */
export class TimeFloor {
  readonly #clock: Clock;
  #highestMs = 0;
  /** The journal's time, until the gateway's arrives. */
  #told: Reading | undefined;
  #contact: Omit<StoredTime, 'highestMs' | 'correctedMs'> | undefined;
  #correctedMs: number | undefined;
  /** The gateway's last time. */
  #heard: Reading | undefined;

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
    if (timeMs > this.#knownMs()) this.#told = this.#read(timeMs);
    this.#highestMs = Math.max(this.#highestMs, timeMs);
  }

  /** A time heard from the gateway: it is also a contact. Tells whether it proved the highest time false. */
  heard(gatewayMs: number): boolean {
    const isFalse = this.#highestMs > gatewayMs + CLOCK_TOLERANCE_MS;
    this.#highestMs = isFalse ? gatewayMs : Math.max(this.#highestMs, gatewayMs);
    if (isFalse) this.#correctedMs = gatewayMs;
    this.#heard = this.#read(gatewayMs);
    this.#contact = {
      contactMs: this.nowMs(),
      contactWallMs: this.#clock.nowMs(),
      contactGatewayMs: gatewayMs,
    };
    return isFalse;
  }

  /** What the next start has to know; `undefined` before the gateway was ever heard. */
  kept(): StoredTime | undefined {
    if (!this.#contact) return undefined;
    const corrected = this.#correctedMs === undefined ? {} : { correctedMs: this.#correctedMs };
    return { ...this.#contact, highestMs: this.#knownMs(), ...corrected };
  }

  /** What an earlier boot kept. Times journaled after it have to be told too. */
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
   * Since the gateway was last heard, by the clock that makes it longest; `undefined`: never. A gateway whose clock was ahead moved this
   * agent's reckoning with it, the wall clock may have been set back, and the clock that only grows ends with the process: what an earlier
   * one heard is as old as the gateway's own time says, too.
   */
  contactAgeMs(): number | undefined {
    if (!this.#contact) return undefined;
    const { contactMs, contactWallMs, contactGatewayMs = contactMs } = this.#contact;
    return Math.max(
      this.nowMs() - contactMs,
      this.#clock.nowMs() - contactWallMs,
      this.#heard ? this.#clock.monotonicMs() - this.#heard.monotonicMs : this.nowMs() - contactGatewayMs,
    );
  }

  /** Age of a journaled time. One that lies ahead was stamped by a false clock, at the latest when that was corrected. */
  ageMs(timeMs: number): number {
    const nowMs = this.nowMs();
    const isFalse = timeMs > nowMs + CLOCK_TOLERANCE_MS;
    return Math.max(0, nowMs - (isFalse ? Math.min(timeMs, this.#correctedMs ?? timeMs) : timeMs));
  }

  /**
   * What a journaled time is old at the least: counted by the gateway's time and a clock that only grows, never by the wall clock, which
   * may have jumped ahead. 0 until this process has heard the gateway.
   */
  sureAgeMs(timeMs: number): number {
    const gatewayMs = this.#gatewayMs();
    return gatewayMs === undefined ? 0 : Math.max(0, gatewayMs - timeMs);
  }

  /** Whether the wall clock and the gateway's time agree now; false until this process has heard the gateway. */
  agreesWithin(toleranceMs: number): boolean {
    const gatewayMs = this.#gatewayMs();
    return gatewayMs !== undefined && Math.abs(this.#clock.nowMs() - gatewayMs) <= toleranceMs;
  }

  /** How late it is at the least, whatever the wall clock says. */
  #knownMs(): number {
    const last = this.#heard ?? this.#told;
    return Math.max(this.#highestMs, last ? this.#countedOn(last) : 0);
  }

  /** The gateway's time now. */
  #gatewayMs(): number | undefined {
    return this.#heard && this.#countedOn(this.#heard);
  }

  #read(timeMs: number): Reading {
    return { timeMs, monotonicMs: this.#clock.monotonicMs() };
  }

  #countedOn({ timeMs, monotonicMs }: Reading): number {
    return timeMs + this.#clock.monotonicMs() - monotonicMs;
  }
}
