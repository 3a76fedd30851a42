type Refusal = new (...args: never[]) => Error;

/** A parser under fuzz. */
export interface FuzzTarget {
  /** `room/parser`. */
  readonly name: string;
  /** Good inputs to begin with; at least one. */
  readonly corpus: readonly Uint8Array[];
  /** Errors by which the parser may refuse, absent: none; anything else that it throws is a crash. */
  readonly refusals?: readonly Refusal[];
  /** Parses, at once or later, and throws a {@link PropertyError} when a promise of the parser is broken. */
  readonly run: (input: Uint8Array) => unknown;
}

/** Targets by their names. @param refusals of those that name none */
export function fuzzTargets(
  refusals: readonly Refusal[],
  table: Readonly<Record<string, Omit<FuzzTarget, 'name'>>>,
): readonly FuzzTarget[] {
  return Object.entries(table).map(([name, target]) => ({ name, refusals, ...target }));
}

/** A promise of a parser does not hold, such as decode of encode. Never a refusal. */
export class PropertyError extends Error {
  override readonly name = 'PropertyError';
}

/** What one input did. */
export type Outcome = 'taken' | 'refused';

/**
 * Runs one input.
 * @throws what the parser threw, unless it is one of its refusals
 */
export function tryInput(target: FuzzTarget, input: Uint8Array): Outcome | Promise<Outcome> {
  try {
    const result = target.run(input);
    if (result instanceof Promise) return result.then(() => 'taken' as const).catch(refusedBy(target));
    return 'taken';
  } catch (error) {
    return refusedBy(target)(error);
  }
}

function refusedBy({ refusals = [] }: FuzzTarget): (error: unknown) => 'refused' {
  return (error) => {
    if (refusals.some((refusal) => error instanceof refusal)) return 'refused';
    throw error;
  };
}
