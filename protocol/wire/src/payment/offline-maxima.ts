const HOUR_MS = 3_600_000;

/**
 * No configuration and no policy lifts the limits of sales without the gateway above these (agent/docs/offline-rules.md). The agent takes none
 * above them, and the gateway pays none.
 */
export const OFFLINE_LIMIT_MAXIMA = {
  /** Whole units of the currency. */
  perSaleUnits: 1_000,
  sumUnits: 25_000,
  perCardUnits: 2_500,
  count: 500,
  perCard: 100,
  contactAgeMs: 72 * HOUR_MS,
  expiryMs: 72 * HOUR_MS,
  deferred: { perSaleUnits: 250, sumUnits: 2_500, perCardUnits: 250, count: 100 },
} as const;
