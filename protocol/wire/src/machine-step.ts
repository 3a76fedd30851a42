/** What a pure state machine makes of an event: its next state, and what its owner does, in order. */
export interface MachineStep<State, Effect> {
  readonly state: State;
  readonly effects: readonly Effect[];
}
