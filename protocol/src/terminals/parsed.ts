/** What a parser of a byte stream gives back: its next state, and what the bytes were. */
export interface Parsed<State, Event> {
  readonly state: State;
  readonly events: readonly Event[];
}
