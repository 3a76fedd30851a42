import { Listeners } from '@tillbridge/wire/seams/listeners.js';

/** What every entry of a log has. */
export interface LogEntry {
  /** Counted from 1 since the start of the simulator. */
  readonly number: number;
  /** Milliseconds since 1970. */
  readonly atMs: number;
}

/** Limits of a log. */
interface LogLimits<T> {
  readonly maxEntries: number;
  /** Most bytes of all entries together. */
  readonly maxBytes: number;
  readonly bytesOf: (entry: T) => number;
}

/** The last entries of a kind, numbered; older ones are forgotten. */
export class BoundedLog<T extends LogEntry> {
  readonly #limits: LogLimits<T>;
  readonly #listeners = new Listeners<[entry: T]>();
  #entries: T[] = [];
  #bytes = 0;
  #last = 0;

  constructor(limits: LogLimits<T>) {
    this.#limits = limits;
  }

  /** Oldest first. */
  get entries(): readonly T[] {
    return this.#entries;
  }

  /** Number of the newest entry, 0 before the first. */
  get last(): number {
    return this.#last;
  }

  /** The entry of that number; undefined when it is forgotten. */
  find(number: number): T | undefined {
    return this.#entries.find((entry) => entry.number === number);
  }

  /** Adds the entry that `make` builds for the next number, and calls the listeners with it. */
  add(make: (number: number) => T): void {
    this.#last += 1;
    const entry = make(this.#last);
    this.#entries.push(entry);
    this.#bytes += this.#limits.bytesOf(entry);
    while (this.#entries.length > this.#limits.maxEntries || this.#bytes > this.#limits.maxBytes) {
      const [oldest] = this.#entries.splice(0, 1);
      if (!oldest) break;
      this.#bytes -= this.#limits.bytesOf(oldest);
    }
    this.#listeners.tell(entry);
  }

  /** Calls `listener` with each new entry. Returns the function that ends the subscription. */
  watch(listener: (entry: T) => void): () => void {
    return this.#listeners.add(listener);
  }
}
