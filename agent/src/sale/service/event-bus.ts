import type { TillEvent } from './sale-service.js';

/** The listeners to the service's events. One that throws does not stop the others. */
export class EventBus {
  readonly #listeners = new Set<(event: TillEvent) => void>();
  readonly #onFault: (error: unknown) => void;

  /** `onFault` gets what listeners throw. */
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
