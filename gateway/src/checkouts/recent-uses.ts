/** Subjects that are remembered at most; beyond, the one that was used least lately is forgotten. */
const MAX_SUBJECTS = 50_000;

/** What a subject may use within a time. */
export interface UseLimit {
  readonly uses: number;
  readonly windowMs: number;
}

/** Counts in the memory of this process what subjects used lately. A use that is refused is not counted. */
export class RecentUses {
  readonly #limit: UseLimit;
  /** Times of use by what was used, the subject that was used least lately first. */
  readonly #uses = new Map<string, Map<string, number>>();

  constructor(limit: UseLimit) {
    this.#limit = limit;
  }

  /**
   * Notes a use.
   * @param nowMs of a clock that only grows
   * @param what the same within the window is one use; absent: each is one of its own
   * @returns 0 when it may be, else how long to wait, in milliseconds
   */
  take(subject: string, nowMs: number, what?: string): number {
    const { uses, windowMs } = this.#limit;
    const known = this.#uses.get(subject);
    const recent = new Map([...(known ?? [])].filter(([, atMs]) => nowMs - atMs < windowMs));
    const isKnown = what !== undefined && recent.has(what);
    const isFull = !isKnown && recent.size >= uses;
    if (!isKnown && !isFull) recent.set(what ?? `${nowMs}/${recent.size}`, nowMs);
    this.#uses.delete(subject);
    this.#uses.set(subject, recent);
    if (this.#uses.size > MAX_SUBJECTS) this.#uses.delete(this.#uses.keys().next().value ?? '');
    return isFull ? Math.min(...recent.values()) + windowMs - nowMs : 0;
  }
}
