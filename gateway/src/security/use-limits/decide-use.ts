/** What a subject may use within a time. */
export interface UseLimit {
  readonly uses: number;
  readonly windowMs: number;
}

/** A use that is counted: what was used, and when. */
export type Use = readonly [what: string, atMs: number];

/** What becomes of a use. */
interface UseVerdict {
  /** 0 when it may be, else how long to wait, in milliseconds. */
  readonly waitMs: number;
  /** The uses to keep; undefined where they stay as they are. */
  readonly uses?: readonly Use[];
}

/**
 * Decides whether a subject may use something again. A use that is refused is not counted. Pure.
 * @param what the same within the window is one use; absent: each is one of its own
 */
export function decideUse(
  { uses: most, windowMs }: UseLimit,
  before: readonly Use[],
  nowMs: number,
  what?: string,
): UseVerdict {
  const recent = before.filter(([, atMs]) => Math.abs(nowMs - atMs) < windowMs);
  if (what !== undefined && recent.some(([used]) => used === what)) return { waitMs: 0 };
  if (recent.length < most) return { waitMs: 0, uses: [...recent, [what ?? '', nowMs]] };
  return { waitMs: Math.min(...recent.map(([, atMs]) => atMs)) + windowMs - nowMs };
}
