/** What a parser of a byte stream gives back: its next state, and what the bytes were. */
export interface Parsed<State, Event> {
  readonly state: State;
  readonly events: readonly Event[];
}

/** A parser of a byte stream. */
export type Parse<State, Event> = (state: State, bytes: Uint8Array) => Parsed<State, Event>;

/** A parser and its state, for who holds one end of a line. */
export class StreamParser<State, Event> {
  readonly #initial: State;
  readonly #parse: Parse<State, Event>;
  #state: State;

  constructor(initial: State, parse: Parse<State, Event>) {
    this.#initial = initial;
    this.#parse = parse;
    this.#state = initial;
  }

  /** Returns what ends in these bytes. */
  take(bytes: Uint8Array): readonly Event[] {
    const { state, events } = this.#parse(this.#state, bytes);
    this.#state = state;
    return events;
  }

  /** Forgets half a frame. */
  reset(): void {
    this.#state = this.#initial;
  }
}
