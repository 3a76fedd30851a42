import type { Duplex } from 'node:stream';
import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import type { BridgeLimits } from './bridge-limits.js';
import { Pace } from './pace.js';

/** Connections that want to become sockets: a crowd of them is let in one after the other, beside the work. */
export class Arrivals {
  readonly #pace: Pace;
  /** When those may come that were turned away. */
  readonly #later: Pace;
  readonly #maxWaitMs: number;
  readonly #clock: Pick<Clock, 'monotonicMs' | 'setTimer'>;
  readonly #waiting = new Set<Duplex>();

  constructor(
    {
      newSocketsPerSecond: perSecond,
      newSocketsBurst,
      maxArrivalWaitMs,
    }: Pick<BridgeLimits, 'newSocketsPerSecond' | 'newSocketsBurst' | 'maxArrivalWaitMs'>,
    clock: Pick<Clock, 'monotonicMs' | 'setTimer'>,
  ) {
    this.#pace = new Pace({ perSecond, burst: newSocketsBurst });
    this.#later = new Pace({ perSecond, burst: 0 });
    this.#maxWaitMs = maxArrivalWaitMs;
    this.#clock = clock;
  }

  /** When one more shall come back because too many wait, in milliseconds from now; 0: it may wait with them. */
  turnAwayMs(): number {
    const nowMs = this.#clock.monotonicMs();
    return this.#pace.owedMs(nowMs) < this.#maxWaitMs ? 0 : this.#maxWaitMs + this.#later.count(nowMs);
  }

  /**
   * Calls `begin` now or later; one that has gone by then is begun, too, and ends at once.
   * @param leastMs how long it waits at least, in milliseconds
   */
  add(connection: Duplex, leastMs: number, begin: () => void): void {
    const waitMs = Math.max(leastMs, this.#pace.count(this.#clock.monotonicMs()));
    if (waitMs === 0) {
      begin();
      return;
    }
    const drop = (): void => void connection.destroy();
    connection.on('error', drop);
    this.#waiting.add(connection);
    this.#clock.setTimer(waitMs, () => {
      this.#waiting.delete(connection);
      connection.off('error', drop);
      begin();
    });
  }

  /** Hangs up on those that wait. */
  close(): void {
    for (const connection of this.#waiting) connection.destroy();
  }
}
