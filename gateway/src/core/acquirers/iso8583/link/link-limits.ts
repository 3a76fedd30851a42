/** The link's limits. */
export const LINK_LIMITS = {
  /** Requests that are being sent or wait for their answers at once; no more are begun. */
  requests: 1_000,
  /** Messages whose late answers are recognised without a look into the journal. */
  remembered: 10_000,
  /** Tries to change an exchange that other nodes change too. */
  changes: 8,
  /** Reversals and advices that wait for their answers at once. */
  forwarded: 100,
  /** How often the exchanges of nodes that have ended are taken up, in milliseconds. */
  takeUpMs: 15_000,
  /** How long none is sent after one could not be journaled, in milliseconds. */
  pauseMs: 1_000,
} as const;
