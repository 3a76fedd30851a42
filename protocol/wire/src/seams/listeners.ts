/** The listeners to one kind of event. */
export class Listeners<Args extends readonly unknown[]> {
  readonly #all = new Set<(...args: Args) => void>();
  readonly #onFault: ((error: unknown) => void) | undefined;

  /** @param onFault gets what a listener throws, and the next is called; without it the error goes to the caller of `tell` */
  constructor(onFault?: (error: unknown) => void) {
    this.#onFault = onFault;
  }

  /** Adds a listener; the function it gives back removes it, and does nothing the second time. */
  add(listener: (...args: Args) => void): () => void {
    // A new wrapper: the same function subscribed twice is two subscriptions.
    const entry = (...args: Args): void => listener(...args);
    this.#all.add(entry);
    return () => {
      this.#all.delete(entry);
    };
  }

  /** Calls every listener that was subscribed when the call began. */
  tell(...args: Args): void {
    for (const listener of [...this.#all]) {
      try {
        listener(...args);
      } catch (error) {
        if (!this.#onFault) throw error;
        this.#onFault(error);
      }
    }
  }

  /** Removes all. */
  clear(): void {
    this.#all.clear();
  }
}
