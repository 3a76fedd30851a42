import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { Pace, type PaceLimits } from './pace.js';

/** How requests without credentials come to work. */
export interface StrangerLimits extends PaceLimits {
  /** How long a request beyond the rate of its peer waits for it, in milliseconds; a later one is refused after this time. */
  readonly maxWaitMs: number;
  /** Requests that wait for their rate at once. */
  readonly maxHeld: number;
}

export const STRANGER_LIMITS: StrangerLimits = {
  perSecond: 100,
  burst: 1_000,
  maxWaitMs: 5_000,
  maxHeld: 4_096,
};

/** What of an answer counts as much as a request, in bytes. */
const PIECE_BYTES = 65_536;
/** Peers whose rates are remembered; beyond, the one that came least lately begins anew. */
const MAX_PEERS = 10_000;

/** What becomes of a request: it may be worked on now; it is refused, and may come again later; nothing may wait any more. */
export type StrangerVerdict =
  | { readonly kind: 'admitted' }
  | { readonly kind: 'refused'; readonly waitMs: number }
  | { readonly kind: 'crowded' };

const ADMITTED: StrangerVerdict = { kind: 'admitted' };

/**
 * Requests of those who have shown no credentials. Each peer has a rate, beyond which its requests wait. Of all of them one comes to work at
 * each turn of the event loop, behind whatever else is ready: work for those with credentials waits for one answer at most.
 */
export class Strangers {
  readonly #limits: StrangerLimits;
  readonly #clock: Pick<Clock, 'monotonicMs' | 'setTimer'>;
  /** The least lately used first. */
  readonly #paces = new Map<string, Pace>();
  readonly #queue: (() => void)[] = [];
  #held = 0;
  #isLettingIn = false;

  constructor(limits: Partial<StrangerLimits>, clock: Pick<Clock, 'monotonicMs' | 'setTimer'>) {
    this.#limits = { ...STRANGER_LIMITS, ...limits };
    this.#clock = clock;
  }

  /** Counts a request of a peer, and lets it in when it is its turn. */
  async enter(peer: string): Promise<StrangerVerdict> {
    const { maxWaitMs, maxHeld } = this.#limits;
    const pace = this.#paceOf(peer);
    const nowMs = this.#clock.monotonicMs();
    const owedMs = pace.owedMs(nowMs);
    const isRefused = owedMs > maxWaitMs;
    if (owedMs > 0 && this.#held >= maxHeld) return { kind: 'crowded' };
    // One that is refused makes its peer owe no more.
    if (!isRefused) pace.count(nowMs);
    if (owedMs > 0) await this.#hold(Math.min(owedMs, maxWaitMs));
    await this.turn();
    return isRefused ? { kind: 'refused', waitMs: owedMs } : ADMITTED;
  }

  /** Counts a long answer to a peer: the first piece of it has been counted as its request. */
  sent(peer: string, bytes: number): void {
    const pace = this.#paceOf(peer);
    for (let left = bytes - PIECE_BYTES; left > 0; left -= PIECE_BYTES) pace.count(this.#clock.monotonicMs());
  }

  /** Resolves when it is the turn of this request, uncounted. */
  turn(): Promise<void> {
    return new Promise((resolve) => {
      this.#queue.push(resolve);
      if (this.#isLettingIn) return;
      this.#isLettingIn = true;
      setImmediate(this.#letIn);
    });
  }

  readonly #letIn = (): void => {
    this.#queue.shift()?.();
    this.#isLettingIn = this.#queue.length > 0;
    if (this.#isLettingIn) setImmediate(this.#letIn);
  };

  async #hold(delayMs: number): Promise<void> {
    this.#held += 1;
    await new Promise<void>((resolve) => this.#clock.setTimer(delayMs, resolve));
    this.#held -= 1;
  }

  #paceOf(peer: string): Pace {
    const pace = this.#paces.get(peer) ?? new Pace(this.#limits);
    this.#paces.delete(peer);
    this.#paces.set(peer, pace);
    if (this.#paces.size > MAX_PEERS) {
      const [first = ''] = this.#paces.keys();
      this.#paces.delete(first);
    }
    return pace;
  }
}
