import { DIFFERENCE_KINDS, type Difference, type DifferenceKind, nameOf } from './difference.js';

/** Differences that are remembered at once; there is no need to count further to know that something is badly wrong. */
export const MAX_KNOWN = 1_000;

/** A difference that stands. */
export interface KnownDifference extends Difference {
  /** When it was found, milliseconds since 1970. */
  readonly sinceMs: number;
}

/** What is found and not explained, by kind and subject. */
export class KnownDifferences {
  readonly #known = new Map<string, KnownDifference>();
  #overflowed = false;

  /** Those that stand, the longest known first. */
  list(): readonly KnownDifference[] {
    return [...this.#known.values()];
  }

  /** How many of each kind stand; every kind is there. */
  counts(): Readonly<Record<DifferenceKind, number>> {
    const counts = Object.fromEntries(Object.keys(DIFFERENCE_KINDS).map((kind) => [kind, 0]));
    for (const { kind } of this.#known.values()) counts[kind] = (counts[kind] ?? 0) + 1;
    return counts as Record<DifferenceKind, number>;
  }

  /** True once more were found than are remembered. */
  get overflowed(): boolean {
    return this.#overflowed;
  }

  /** Remembers a difference; true when it is new. */
  add(difference: Difference, nowMs: number): boolean {
    const key = keyOf(difference);
    const before = this.#known.get(key);
    if (!before && this.#known.size >= MAX_KNOWN) {
      this.#overflowed = true;
      return false;
    }
    this.#known.set(key, { ...difference, sinceMs: before?.sinceMs ?? nowMs });
    return before === undefined;
  }

  /** Forgets a difference that stands no more. */
  remove(difference: Difference): void {
    this.#known.delete(keyOf(difference));
  }
}

/** The same difference has the same key, whatever the values in it are now. */
export function keyOf({ kind, subject }: Difference): string {
  return `${kind} ${nameOf(subject)}`;
}
