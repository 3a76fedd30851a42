/** What changes the state on a diskImage; carried out again when the state has to be rebuilt. */
type DiskImageEntry<S> = (state: S) => void;

/**
 * What a disk holds: every entry that was written, and how many of them were synced. The state is always that of all
 * written entries; a power cut takes it back to the synced ones.
 */
export class DiskImage<S extends object> {
  readonly #fresh: () => S;
  #entries: DiskImageEntry<S>[] = [];
  #synced = 0;
  #state: S;

  constructor(fresh: () => S) {
    this.#fresh = fresh;
    this.#state = fresh();
  }

  get state(): S {
    return this.#state;
  }

  /** Entries that a power cut would take. */
  get unsynced(): number {
    return this.#entries.length - this.#synced;
  }

  /** Takes note of an entry that has just changed the state: the operating system has it, the disk does not. */
  written(entry: DiskImageEntry<S>): void {
    this.#entries.push(entry);
  }

  /** Everything written so far is on the disk. */
  sync(): void {
    this.#synced = this.#entries.length;
  }

  /** Loses what was not synced but for the first `kept` of it: a tear leaves a prefix. @returns how many entries are gone */
  powerCut(kept = 0): number {
    const lost = Math.max(0, this.unsynced - kept);
    if (lost > 0) {
      this.#entries = this.#entries.slice(0, this.#entries.length - lost);
      this.#state = this.#fresh();
      for (const entry of this.#entries) entry(this.#state);
    }
    this.sync();
    return lost;
  }
}
