import { DIFFERENCE_KINDS, type Difference, type DifferenceKind, nameOf } from './difference.js';

/** Differences that are remembered at most. */
export const MAX_KNOWN = 1_000;

/** A difference that still exists. */
export interface KnownDifference extends Difference {
  /** When it was found, milliseconds since 1970. */
  readonly sinceMs: number;
}

/** The unexplained differences, by kind and subject. */
export class KnownDifferences {
  readonly #known = new Map<string, KnownDifference>();

  /** All of them, the longest known first. */
  list(): readonly KnownDifference[] {
    return [...this.#known.values()];
  }

  /** The number of each kind, of every kind. */
  counts(): Readonly<Record<DifferenceKind, number>> {
    const counts = Object.fromEntries(Object.keys(DIFFERENCE_KINDS).map((kind) => [kind, 0]));
    for (const { kind } of this.#known.values()) counts[kind] = (counts[kind] ?? 0) + 1;
    return counts as Record<DifferenceKind, number>;
  }

  /** Remembers a difference; true when it is new. */
  add(difference: Difference, nowMs: number): boolean {
    const key = keyOf(difference);
    const before = this.#known.get(key);
    if (!before && this.#known.size >= MAX_KNOWN) return false;
    this.#known.set(key, { ...difference, sinceMs: before?.sinceMs ?? nowMs });
    return before === undefined;
  }

  /** Forgets a difference that no longer exists. */
  remove(difference: Difference): void {
    this.#known.delete(keyOf(difference));
  }

  /** Forgets all of them. */
  clear(): void {
    this.#known.clear();
  }
}

/** The key of a difference, as `check explain` takes it; its values do not count. */
export function keyOf({ kind, subject }: Difference): string {
  return `${kind} ${nameOf(subject)}`;
}
