/** How many requests may come. */
export interface Rate {
  /** Requests in the long run. */
  readonly perSecond: number;
  /** Requests at once after a quiet time. */
  readonly burst: number;
}

/** What is left of a rate at a moment. */
export interface Bucket {
  /** Requests that may come now; parts of one count. Below zero: so many have passed too much. */
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
  rate: Rate,
  nowMs: number,
): { readonly bucket: Bucket; readonly waitMs: number } {
  const from = bucket ?? { tokens: rate.burst, atMs: nowMs };
  const tokens = tokensAt(from, rate, nowMs);
  if (tokens >= 1) return { bucket: { tokens: tokens - 1, atMs: nowMs }, waitMs: 0 };
  return { bucket: from, waitMs: Math.ceil(((1 - tokens) * 1_000) / rate.perSecond) };
}

/** Takes requests out of a bucket that have passed already; it may then hold less than nothing, down to a whole burst. */
export function spendFrom(
  bucket: Bucket | undefined,
  rate: Rate,
  { count, nowMs }: { readonly count: number; readonly nowMs: number },
): Bucket {
  const left = bucket ? tokensAt(bucket, rate, nowMs) : rate.burst;
  return { tokens: Math.max(-rate.burst, left - count), atMs: nowMs };
}

function tokensAt({ tokens, atMs }: Bucket, { perSecond, burst }: Rate, nowMs: number): number {
  return Math.min(burst, tokens + ((nowMs - atMs) * perSecond) / 1_000);
}
