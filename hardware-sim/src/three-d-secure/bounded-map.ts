/** A map that forgets its oldest entry where it would have more than so many. */
export class BoundedMap<T> {
  readonly #entries = new Map<string, T>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  get(key: string): T | undefined {
    return this.#entries.get(key);
  }

  set(key: string, value: T): void {
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined && this.#entries.size >= this.#max && !this.#entries.has(key))
      this.#entries.delete(oldest);
    this.#entries.set(key, value);
  }
}
