import type { FaultRegistry } from '../faults/fault-registry.js';
import type { ApduLog } from '../inspection/apdu-log.js';
import type { KernelLog } from '../inspection/kernel-log.js';
import type { SaleLog } from '../inspection/sale-log.js';
import type { WireLog } from '../inspection/wire-log.js';
import type { TerminalPlug } from '../ports/terminal-plug.js';
import type { ScenarioCardholder } from '../terminals/core/scenario-cardholder.js';
import type { SimulatedDevice } from '../terminals/core/simulated-device.js';
import type { TerminalLine } from './terminal-line.js';

/** A terminal with its plug, its faults, its cardholder, and what was seen of it. */
export interface SimulatedTerminal {
  readonly device: SimulatedDevice;
  readonly port: TerminalPlug;
  readonly faults: FaultRegistry;
  readonly line: TerminalLine;
  readonly wire: WireLog;
  readonly apdus: ApduLog;
  readonly kernel: KernelLog;
  readonly sales: SaleLog;
  /** Does what a scenario has. */
  readonly cardholder: ScenarioCardholder;
  /** Reports that its appearance has changed. */
  readonly changed: () => void;
  readonly stop: () => void;
}
