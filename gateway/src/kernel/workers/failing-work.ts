/** Remembers which work in the background fails now. */
export class FailingWork {
  readonly #faults = new Map<string, string>();

  /** The same work; its last round is remembered. */
  watched<T>(name: string, work: () => Promise<T>): () => Promise<T> {
    return async () => {
      try {
        const result = await work();
        this.#faults.delete(name);
        return result;
      } catch (error) {
        this.#faults.set(
          name,
          error instanceof Error ? `${error.name}: ${error.message}` : 'an unknown fault',
        );
        throw error;
      }
    };
  }

  /** The fault of the last round; undefined when that went well. */
  fault(name: string): string | undefined {
    return this.#faults.get(name);
  }
}
