import type { Clock, Timer } from '@tillbridge/wire/seams/clock.js';

/** Times of the watch, by name: a cut is noticed within the sum of both, less than two seconds. */
export const LINK_WATCH_LIMITS = {
  /** From the last sign of life to the next ping. */
  pingEveryMs: 400,
  /** A ping that is not answered by then: the gateway is silent. */
  answerWithinMs: 900,
} as const;

/** What the watch works with. */
interface LinkWatchDeps {
  readonly clock: Clock;
  /** Sends a ping over the session, whose answer is reported by the callback; false: none can be sent. */
  readonly ping: (answered: () => void) => boolean;
  readonly onSilent: (silent: boolean) => void;
}

/**
 * Notices soon that the gateway does not answer, while someone looks at the link: the heartbeats of a session take three quarters of a minute.
 * It decides nothing: the session ends by its own rules.
 */
export class LinkWatch {
  readonly #deps: LinkWatchDeps;
  #watchers = 0;
  #isUp = false;
  #silent = false;
  #timer: Timer | undefined;

  constructor(deps: LinkWatchDeps) {
    this.#deps = deps;
  }

  /** The session is there, and a ping is not answered. */
  get silent(): boolean {
    return this.#silent;
  }

  /** Watches until the returned function is called. */
  watch(): () => void {
    this.#watchers += 1;
    if (this.#watchers === 1 && this.#isUp) this.#ping();
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      this.#watchers -= 1;
      if (this.#watchers === 0) this.#rest();
    };
  }

  sessionUp(): void {
    this.#isUp = true;
    if (this.#watchers > 0) this.#ping();
  }

  sessionDown(): void {
    this.#isUp = false;
    this.#rest();
  }

  /** Anything was received from the gateway: a message, or the answer to a ping. */
  received(): void {
    if (!this.#isUp) return;
    this.#become(false);
    if (this.#watchers === 0) return;
    this.#timer?.cancel();
    this.#timer = this.#deps.clock.setTimer(LINK_WATCH_LIMITS.pingEveryMs, () => this.#ping());
  }

  #ping(): void {
    const { clock, ping } = this.#deps;
    this.#timer?.cancel();
    this.#timer = clock.setTimer(LINK_WATCH_LIMITS.answerWithinMs, () => {
      this.#become(true);
      this.#ping();
    });
    if (!ping(() => this.received())) this.#rest();
  }

  #rest(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#become(false);
  }

  #become(silent: boolean): void {
    if (silent === this.#silent) return;
    this.#silent = silent;
    this.#deps.onSilent(silent);
  }
}
