/** Something that happens again and again, and those who want to know at that very moment. */
export class Signal<T = void> {
  readonly #listeners = new Set<(value: T) => void>();

  /** Calls `listener` at each happening, before anything else goes on. Returns the function that ends it. */
  on(listener: (value: T) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** It happens. */
  tell(value: T): void {
    for (const listener of [...this.#listeners]) listener(value);
  }
}
