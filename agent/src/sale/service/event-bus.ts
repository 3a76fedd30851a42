import type { TillEvent } from './sale-service.js';

/** Who wants to hear of the service's events. A listener that throws stops nobody else. */
export class EventBus {
  readonly #listeners = new Set<(event: TillEvent) => void>();
  readonly #onFault: (error: unknown) => void;

  /** `onFault` hears what listeners throw. */
  constructor(onFault: (error: unknown) => void) {
    this.#onFault = onFault;
  }

  add(listener: (event: TillEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  emit(event: TillEvent): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(event);
      } catch (error) {
        this.#onFault(error);
      }
    }
  }
}
