import { Listeners } from '@tillbridge/wire/seams/listeners.js';
import type { JournalState } from './journal.js';

/** A journal's state and the listeners to its changes. */
export class StateListeners {
  #state: JournalState;
  readonly #listeners = new Listeners<[state: JournalState]>();

  constructor(state: JournalState = { kind: 'ready' }) {
    this.#state = state;
  }

  get state(): JournalState {
    return this.#state;
  }

  /** Sets the state and calls the listeners, unless it is the same as before. */
  set(state: JournalState): void {
    const same =
      state.kind === this.#state.kind &&
      (state.kind === 'ready' || (this.#state.kind === 'unavailable' && state.reason === this.#state.reason));
    this.#state = state;
    if (same) return;
    this.#listeners.tell(state);
  }

  add(listener: (state: JournalState) => void): () => void {
    return this.#listeners.add(listener);
  }
}
