import type { ScheduledFault } from './scheduled-fault.js';

/** Faults of the line: each acts on a piece that the terminal sends. */
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

/** Faults of a terminal itself: each is active until the faults are replaced. */
export const DEVICE_FAULT_NAMES = ['tamper', 'key-exhausted', 'low-battery'] as const;

/** Every fault. */
export const FAULT_NAMES = [...LINE_FAULT_NAMES, ...DEVICE_FAULT_NAMES] as const;

/** Name of a fault. */
export type FaultName = (typeof FAULT_NAMES)[number];

/** Name of a fault of the device itself. */
export type DeviceFaultName = (typeof DEVICE_FAULT_NAMES)[number];

/** One fault. It acts on the next pieces of its kind: confirmations for `drop-ack`, frames for the others. */
export interface Fault extends ScheduledFault {
  readonly name: FaultName;
  /**
   * `delay`: how late; `slow`: pause before each byte; `glue`: how long a frame waits for the next one to stick to;
   * `unplug`: how long the plug is out.
   */
  readonly delayMs: number;
  /** Where `split` cuts follows from it, and which pieces a rate chooses. */
  readonly seed: number;
  /** Of the pieces behind those that pass, so many of a hundred are hit; 100 when left out. */
  readonly ratePercent?: number;
}

/** Most repetitions of a fault. */
export const MAX_FAULT_TIMES = 1_000;

/** Whether a fault is the device's own, not one of its line. */
export function isDeviceFault(name: FaultName): name is DeviceFaultName {
  return (DEVICE_FAULT_NAMES as readonly string[]).includes(name);
}
