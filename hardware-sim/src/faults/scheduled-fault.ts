/** Most faults at once, and their longest delay. */
export const MAX_FAULTS = 16;
export const MAX_FAULT_DELAY_MS = 120_000;

/** When a fault hits, and how late what it holds back comes. */
export interface ScheduledFault {
  /** Pieces or messages that pass untouched first. */
  readonly skip: number;
  /** Those that are hit; then the fault is over. */
  readonly times: number;
  readonly delayMs: number;
}
