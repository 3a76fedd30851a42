/** One thing that may happen in a state. Its name tells it in words, and is unique among the actions of the state. */
export interface Action {
  readonly name: string;
  /** A fault of the outside. A true end must be reachable without any further one. */
  readonly isFault?: boolean;
}

/**
 * A system whose every state is visited. States are plain immutable values; what the product decides in a step is decided by the functions
 * that run in the product.
 */
export interface Model<S, A extends Action = Action> {
  readonly name: string;
  readonly initial: S;
  /** What may happen now, always in the same order. */
  actions(state: S): readonly A[];
  /** The state after an action of the state. */
  step(state: S, action: A): S | Promise<S>;
  /** A text that states have in common where they differ by names alone (symmetry), and no others have. */
  key(state: S): string;
  /** The promise that the state breaks, in words; undefined where it keeps all of them. */
  violation(state: S): string | undefined;
  /** Whether all that was begun has its true end. */
  isEnd(state: S): boolean;
}
