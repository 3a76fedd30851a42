import type { Duplex } from 'node:stream';
import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import type { BridgeLimits } from './bridge-limits.js';
import { Pace } from './pace.js';

/** Connections that want to become sockets: a crowd of them is let in one after the other, beside the work. */
export class Arrivals {
  readonly #pace: Pace;
  readonly #clock: Pick<Clock, 'monotonicMs' | 'setTimer'>;
  readonly #waiting = new Set<Duplex>();

  constructor(
    { newSocketsPerSecond, newSocketsBurst }: Pick<BridgeLimits, 'newSocketsPerSecond' | 'newSocketsBurst'>,
    clock: Pick<Clock, 'monotonicMs' | 'setTimer'>,
  ) {
    this.#pace = new Pace({ perSecond: newSocketsPerSecond, burst: newSocketsBurst });
    this.#clock = clock;
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
