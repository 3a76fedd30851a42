/** What can go wrong with what a terminal sends. */
export const FAULT_NAMES = ['drop-ack', 'corrupt-crc', 'delay', 'split', 'repeat', 'reset'] as const;

/** Name of a fault. */
export type FaultName = (typeof FAULT_NAMES)[number];

/** One fault, laid on the next pieces that it concerns: confirmations for `drop-ack`, packets for the others. */
export interface Fault {
  readonly name: FaultName;
  /** Pieces that pass untouched first. */
  readonly skip: number;
  /** Pieces that are hit; then the fault is over. */
  readonly times: number;
  /** For `delay`. */
  readonly delayMs: number;
  /** Where `split` cuts follows from it. */
  readonly seed: number;
}

/** Most faults laid on one terminal at once, and the most a fault may repeat or wait. */
export const MAX_FAULTS = 16;
export const MAX_FAULT_TIMES = 1_000;
export const MAX_FAULT_DELAY_MS = 120_000;
