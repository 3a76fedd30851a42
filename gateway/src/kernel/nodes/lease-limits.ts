/** Times of the lease of a node, in milliseconds. */
export const LEASE_LIMITS = {
  /** How long a node may be silent before others take over what it owns. Each counts by its own clock, from when it saw the last renewal. */
  leaseMs: 3_000,
  renewMs: 1_000,
  /** A node that has not looked at the others for so long, because it or the database stood still, begins to count anew. */
  maxGapMs: 2_500,
  /** Wall clocks of nodes that differ by more are an alert: claims of workers, deadlines and expiries go by them. */
  clockToleranceMs: 2_000,
} as const;
