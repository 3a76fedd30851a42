import { createHash, type Hash } from 'node:crypto';

/** How many rows a table has, and a hash over all of them in the order of their keys. */
interface TableSum {
  readonly rows: number;
  readonly sha256: string;
}

/** Sums by `data set/table`. */
export type Sums = Readonly<Record<string, TableSum>>;

/** Counts and hashes rows of a table. */
export class Summing {
  readonly #hash: Hash = createHash('sha256');
  #rows = 0;

  add(line: string): void {
    this.#rows += 1;
    this.#hash.update(line).update('\n');
  }

  end(): TableSum {
    return { rows: this.#rows, sha256: this.#hash.digest('hex') };
  }
}
