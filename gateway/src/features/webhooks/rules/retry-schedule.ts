const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** How a delivery is tried again (docs/webhooks.md). */
export const RETRY_SCHEDULE = {
  /** After the first failures, in milliseconds; then once a day. */
  delaysMs: [2, 4, 8, 15, 30, 60].map((minutes) => minutes * MINUTE_MS),
  dailyMs: DAY_MS,
  /** After this time it is given up, in milliseconds. */
  giveUpAfterMs: 30 * DAY_MS,
} as const;

/**
 * When a delivery is tried next that has just failed; undefined when it is given up. Pure.
 * @param failures tries so far, at least one
 * @param sinceMs when the delivery was queued
 */
export function nextTry(failures: number, sinceMs: number, nowMs: number): number | undefined {
  const { delaysMs, dailyMs, giveUpAfterMs } = RETRY_SCHEDULE;
  const nextMs = nowMs + (delaysMs[failures - 1] ?? dailyMs);
  return nextMs - sinceMs > giveUpAfterMs ? undefined : nextMs;
}
