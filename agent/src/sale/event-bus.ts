import type { DeskEvent } from './desk.js';

/** Who wants to hear of the desk's events. A listener that throws stops nobody else. */
export class EventBus {
  readonly #listeners = new Set<(event: DeskEvent) => void>();
  readonly #onFault: (error: unknown) => void;

  /** `onFault` hears what listeners throw. */
  constructor(onFault: (error: unknown) => void) {
    this.#onFault = onFault;
  }

  add(listener: (event: DeskEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  emit(event: DeskEvent): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(event);
      } catch (error) {
        this.#onFault(error);
      }
    }
  }
}
