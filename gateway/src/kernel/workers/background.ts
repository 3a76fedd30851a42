import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { StandingCause } from '../alerts/standing-alerts.js';
import { FailingWork } from './failing-work.js';
import { type Repeated, repeat } from './repeat.js';

/** The same fault of a piece of work that goes on failing is logged once in this time, in milliseconds: an outage must not turn the log over. */
const SAME_FAULT_MS = 60_000;

/** What work in the background runs with. */
interface BackgroundDeps {
  readonly clock: Clock;
  /** Whether this node does the work that one node alone does. @throws StoreUnavailableError */
  readonly single: { isMine(name: string): Promise<boolean> };
  readonly onFault: (what: string, error: unknown) => void;
  /** Gets what ends each work; to be called in the opposite order. */
  readonly closers: (() => Promise<void>)[];
}

/** Work that is repeated until the gateway ends. */
interface RepeatedWork {
  /** From the end of one round to the next, in milliseconds. */
  readonly intervalMs: Repeated['intervalMs'];
  readonly work: () => Promise<unknown>;
  /** What is logged of a round that failed. */
  readonly fault: string;
  /** Name of work that is an alert while it fails. */
  readonly name?: string;
  /** One node at a time does it, under its name. */
  readonly single?: true;
}

/** What has an end. */
interface Stoppable {
  stop(): Promise<void>;
}

/** The work of a gateway that no request waits for. */
export class Background {
  readonly #deps: BackgroundDeps;
  readonly #failing = new FailingWork();
  readonly #names = new Set<string>();

  constructor(deps: BackgroundDeps) {
    this.#deps = deps;
  }

  /** Work that fails, each an alert by its name while it does. */
  get causes(): readonly StandingCause[] {
    return [...this.#names].map((subject) => ({
      code: 'work-failing',
      subject,
      detail: () => this.#failing.fault(subject),
    }));
  }

  /** Does the work now and then again after every interval. */
  repeat({ intervalMs, work, fault, name, single }: RepeatedWork): void {
    const { clock, single: singles, onFault, closers } = this.#deps;
    const round = async (): Promise<void> => {
      if (!single || name === undefined || (await singles.isMine(name))) await work();
    };
    closers.push(
      repeat({
        clock,
        intervalMs,
        work: name === undefined ? round : this.watched(name, round),
        onFault: this.#onceAMinute((error) => onFault(fault, error)),
      }),
    );
  }

  /** Passes a fault on unless its like was passed on within {@link SAME_FAULT_MS}. */
  #onceAMinute(log: (error: unknown) => void): (error: unknown) => void {
    const { clock } = this.#deps;
    let logged = '';
    let loggedAtMs = Number.NEGATIVE_INFINITY;
    return (error) => {
      const text = String(error);
      const nowMs = clock.monotonicMs();
      if (text === logged && nowMs - loggedAtMs < SAME_FAULT_MS) return;
      [logged, loggedAtMs] = [text, nowMs];
      log(error);
    };
  }

  /** The same work, which is an alert under its name while it fails. */
  watched<T>(name: string, work: () => Promise<T>): () => Promise<T> {
    this.declare(name);
    return this.#failing.watched(name, work);
  }

  /** Work that is not done here: an alert of it that an earlier process has left ends. */
  declare(name: string): void {
    this.#names.add(name);
  }

  /** Runs a loop until the gateway ends. */
  run(loop: Stoppable & { wake(): void }): void {
    this.endLater(loop);
    loop.wake();
  }

  /** Ends it with the gateway. */
  endLater(running: Stoppable): void {
    this.#deps.closers.push(() => running.stop());
  }

  /** Logs the fault of a piece of work. */
  faultOf(what: string): (error: unknown) => void {
    return (error) => this.#deps.onFault(what, error);
  }
}
