/** A repeated event and its listeners. */
export class Signal<T = void> {
  readonly #listeners = new Set<(value: T) => void>();

  /** Calls `listener` synchronously at each event. Returns the function that removes it. */
  on(listener: (value: T) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Calls every listener with the value. */
  emit(value: T): void {
    for (const listener of [...this.#listeners]) listener(value);
  }
}
