import { createHash } from 'node:crypto';
import type { Clock } from '@tillbridge/wire/seams/clock.js';

/** Called with each line as it is written. */
export type TraceListener = (line: string) => void;

/** What happened in a simulation, line by line, with its virtual time. No line holds card data. */
export class Trace {
  readonly #clock: Clock;
  readonly #listener: TraceListener | undefined;
  readonly #hash = createHash('sha256');
  #lines = 0;

  constructor(clock: Clock, listener?: TraceListener) {
    this.#clock = clock;
    this.#listener = listener;
  }

  /** `who` did or met `what`. */
  add(who: string, what: string): void {
    const line = `${(this.#clock.monotonicMs() / 1_000).toFixed(3).padStart(9)} ${who.padEnd(10)} ${what}`;
    this.#lines += 1;
    this.#hash.update(line).update('\n');
    this.#listener?.(line);
  }

  get lines(): number {
    return this.#lines;
  }

  /** SHA-256 over all lines, hex; ends the trace. */
  digest(): string {
    return this.#hash.digest('hex');
  }
}
