import type { Duplex } from 'node:stream';
import { Pace } from '@tillbridge/platform/net/pace.js';
import type { Clock, Timer } from '@tillbridge/wire/seams/clock.js';
import type { BridgeLimits } from './bridge-limits.js';

/** A connection that waits for its turn. */
interface Waiting {
  readonly connection: Duplex;
  /** When it is its turn unless others give theirs back, in milliseconds of a clock that goes on as they do. */
  readonly turnMs: number;
  readonly begin: () => void;
}

/**
 * Connections that want to become sockets: a crowd of them is let in one after the other, in parallel with the work. An agent that has proven itself
 * gives its turn back, and the next one comes at once: agents are let in as fast as they can be served, and strangers at the pace.
 */
export class Arrivals {
  readonly #pace: Pace;
  /** When those may come that were turned away. */
  readonly #later: Pace;
  readonly #maxWaitMs: number;
  readonly #clock: Pick<Clock, 'monotonicMs' | 'setTimer'>;
  /** In the order of their turns. */
  readonly #waiting: Waiting[] = [];
  /** Those that wait before they are given a turn. */
  readonly #held = new Set<Duplex>();
  /** By how much the turns that were given back bring all others forward. */
  #broughtForwardMs = 0;
  #timer: Timer | undefined;

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
   * @param leastMs how long it waits before it is given a turn, in milliseconds
   */
  add(connection: Duplex, leastMs: number, begin: () => void): void {
    if (leastMs === 0) {
      this.#giveTurn(connection, begin);
      return;
    }
    this.#held.add(connection);
    connection.on('error', drop);
    this.#clock.setTimer(leastMs, () => {
      this.#held.delete(connection);
      connection.off('error', drop);
      this.#giveTurn(connection, begin);
    });
  }

  /** One that was let in has proven itself, and gives its turn back. */
  proved(): void {
    this.#broughtForwardMs += this.#pace.giveBack(this.#clock.monotonicMs());
    this.#letIn();
  }

  /** Hangs up on those that wait. */
  close(): void {
    for (const connection of [...this.#held, ...this.#waiting.map((each) => each.connection)])
      connection.destroy();
  }

  #giveTurn(connection: Duplex, begin: () => void): void {
    const nowMs = this.#clock.monotonicMs();
    const waitMs = this.#pace.count(nowMs);
    if (waitMs === 0) {
      begin();
      return;
    }
    connection.on('error', drop);
    this.#waiting.push({ connection, turnMs: nowMs + waitMs + this.#broughtForwardMs, begin });
    this.#letIn();
  }

  /** Begins those whose turn it is, and waits for the turn of the next one. */
  #letIn(): void {
    this.#timer?.cancel();
    for (let [next] = this.#waiting; next; [next] = this.#waiting) {
      const waitMs = next.turnMs - this.#broughtForwardMs - this.#clock.monotonicMs();
      if (waitMs > 0) {
        this.#timer = this.#clock.setTimer(waitMs, () => this.#letIn());
        return;
      }
      this.#waiting.shift();
      next.connection.off('error', drop);
      next.begin();
    }
  }
}

/** A connection that waits has no other listener. */
function drop(this: Duplex): void {
  this.destroy();
}
