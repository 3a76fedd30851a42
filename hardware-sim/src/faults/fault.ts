/** What can go wrong with what a terminal sends: each strikes at a piece on the line. */
export const LINE_FAULT_NAMES = [
  'drop-ack',
  'corrupt-crc',
  'delay',
  'split',
  'split-bytes',
  'glue',
  'slow',
  'unsolicited',
  'repeat',
  'reset',
  'unplug',
] as const;

/** What can be wrong with a terminal itself: stands from when it is laid until the faults are replaced. */
export const DEVICE_FAULT_NAMES = ['tamper', 'key-exhausted', 'low-battery'] as const;

/** Every fault. */
export const FAULT_NAMES = [...LINE_FAULT_NAMES, ...DEVICE_FAULT_NAMES] as const;

/** Name of a fault. */
export type FaultName = (typeof FAULT_NAMES)[number];

/** Name of a fault of the device itself. */
export type DeviceFaultName = (typeof DEVICE_FAULT_NAMES)[number];

/** One fault, laid on the next pieces that it concerns: confirmations for `drop-ack`, frames for the others. */
export interface Fault {
  readonly name: FaultName;
  /** Pieces that pass untouched first. */
  readonly skip: number;
  /** Pieces that are hit; then the fault is over. */
  readonly times: number;
  /**
   * `delay`: how late; `slow`: pause before each byte; `glue`: how long a frame waits for the next one to stick to;
   * `unplug`: how long the plug is out.
   */
  readonly delayMs: number;
  /** Where `split` cuts follows from it. */
  readonly seed: number;
}

/** Most faults laid on one terminal at once, and the most a fault may repeat or wait. */
export const MAX_FAULTS = 16;
export const MAX_FAULT_TIMES = 1_000;
export const MAX_FAULT_DELAY_MS = 120_000;

/** Whether a fault is the device's own, not one of its line. */
export function isDeviceFault(name: FaultName): name is DeviceFaultName {
  return (DEVICE_FAULT_NAMES as readonly string[]).includes(name);
}
