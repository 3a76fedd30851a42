import type { BytePipe } from '@tillbridge/protocol/seams/byte-pipe.js';
import type { DeviceFaultName } from '../../faults/fault.js';
import type { LineStyle } from '../../faults/fault-registry.js';
import type { TerminalUi } from './terminal-ui.js';

/** One frame on the wire, for people: decoded, card data masked. */
export interface FrameView {
  /** ISO 8601. */
  readonly at: string;
  /** `in` came from the host. */
  readonly direction: 'in' | 'out';
  readonly text: string;
}

/** A simulated terminal: a terminal UI for people, a line for the host. */
export interface SimulatedDevice {
  readonly id: string;
  readonly deviceType: string;
  readonly ui: TerminalUi;
  /** The last frames, oldest first. */
  readonly frames: readonly FrameView[];
  /** Connects the line; a former one is dropped. */
  attach(pipe: BytePipe): void;
  /** How faults know its line. */
  readonly lineStyle: LineStyle;
  /** A whole frame that the device may send unasked; undefined where its protocol has none. */
  unsolicited(): Uint8Array | undefined;
  /** The faults of the device itself that stand from now on; none heals it. */
  setDeviceFaults(faults: readonly DeviceFaultName[]): void;
  /** Power cycle: what runs is forgotten without an answer; tables, keys and counters stay. */
  reset(): void;
}
