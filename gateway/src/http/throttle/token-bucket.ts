/** How many requests may come. */
export interface Rate {
  /** Requests in the long run. */
  readonly perSecond: number;
  /** Requests at once after a quiet time. */
  readonly burst: number;
}

/** What is left of a rate at a moment. */
export interface Bucket {
  /** Requests that may come now; parts of one count. */
  readonly tokens: number;
  readonly atMs: number;
}

/**
 * Takes one request out of a bucket; a new bucket is full.
 * @param nowMs of a clock that only grows
 * @returns the bucket, and how long to wait until a request may pass, in milliseconds; 0: this one may
 */
export function takeFrom(
  bucket: Bucket | undefined,
  { perSecond, burst }: Rate,
  nowMs: number,
): { readonly bucket: Bucket; readonly waitMs: number } {
  const from = bucket ?? { tokens: burst, atMs: nowMs };
  const tokens = Math.min(burst, from.tokens + ((nowMs - from.atMs) * perSecond) / 1_000);
  if (tokens >= 1) return { bucket: { tokens: tokens - 1, atMs: nowMs }, waitMs: 0 };
  return { bucket: from, waitMs: Math.ceil(((1 - tokens) * 1_000) / perSecond) };
}
