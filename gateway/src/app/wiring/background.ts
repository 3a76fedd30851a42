import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import type { SingleWork } from '../../kernel/nodes/single-work.js';
import type { FailingWork } from '../../kernel/workers/failing-work.js';
import { type Repeated, repeat } from '../../kernel/workers/repeat.js';

/** What work in the background runs with. */
interface BackgroundParts {
  readonly clock: Clock;
  readonly failing: Pick<FailingWork, 'watched'>;
  readonly single: Pick<SingleWork, 'isMine'>;
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
  readonly #parts: BackgroundParts;

  constructor(parts: BackgroundParts) {
    this.#parts = parts;
  }

  /** Does the work now and then again after every interval. */
  repeat({ intervalMs, work, fault, name, single }: RepeatedWork): void {
    const { clock, failing, single: singles, onFault, closers } = this.#parts;
    const round = async (): Promise<void> => {
      if (!single || name === undefined || (await singles.isMine(name))) await work();
    };
    closers.push(
      repeat({
        clock,
        intervalMs,
        work: name === undefined ? round : failing.watched(name, round),
        onFault: (error) => onFault(fault, error),
      }),
    );
  }

  /** Ends it with the gateway. */
  endLater(running: Stoppable): void {
    this.#parts.closers.push(() => running.stop());
  }

  /** Logs the fault of a piece of work. */
  faultOf(what: string): (error: unknown) => void {
    return (error) => this.#parts.onFault(what, error);
  }
}
