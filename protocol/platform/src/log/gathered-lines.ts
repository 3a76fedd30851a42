import { setImmediate } from 'node:timers';
import type { DestinationStream } from 'pino';

/** Characters that wait at most. */
const MAX_WAITING = 65_536;

/** Those of this process that have lines which wait: its end writes them. */
const waiting = new Set<GatheredLines>();

process.on('exit', () => {
  for (const each of waiting) each.flush();
});

/**
 * Writes the lines of one turn of the event loop together, because a write costs more than a line. No line waits longer than the turn, and the
 * end of the process writes those that wait. What ends it without its knowledge, such as `kill -9`, costs the lines of that turn.
 */
export class GatheredLines {
  readonly #target: DestinationStream;
  #lines = '';

  constructor(target: DestinationStream) {
    this.#target = target;
  }

  /** @param atOnce with all that waits */
  write(line: string, atOnce = false): void {
    if (this.#lines === '') {
      waiting.add(this);
      if (!atOnce) setImmediate(() => this.flush());
    }
    this.#lines += line;
    if (atOnce || this.#lines.length >= MAX_WAITING) this.flush();
  }

  /** Writes what waits. */
  flush(): void {
    if (this.#lines === '') return;
    const lines = this.#lines;
    this.#lines = '';
    waiting.delete(this);
    this.#target.write(lines);
  }
}
