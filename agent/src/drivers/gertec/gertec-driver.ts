import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import { keyIndexText } from '@tillbridge/protocol/terminals/abecs/key-map.js';
import { packTableRecords } from '@tillbridge/protocol/terminals/abecs/tables.js';
import type { PortSupervisor } from '../../ports/port-supervisor.js';
import type { TerminalDriver } from '../core/driver.js';
import { openSessionDriver } from '../core/session-driver.js';
import type { DriverLog } from '../core/terminal-connection.js';
import type { AbecsConfig } from './config.js';
import { gertecLine } from './session.js';

/** What a Gertec driver needs. */
export interface GertecDriverOptions {
  /** The supervised port; the driver owns it from now on. */
  readonly port: PortSupervisor;
  readonly clock: Clock;
  readonly config: AbecsConfig;
  readonly log: DriverLog;
}

/** Faults of a configuration come out here, at the start, and not in a sale. */
function checkConfig(config: AbecsConfig): void {
  keyIndexText(config.pinKeyIndex);
  keyIndexText(config.dataKeyIndex);
  packTableRecords(config.tables);
}

/**
 * Opens a driver for a Gertec PPC930 (ABECS 2.12); it connects by itself, and again whenever the terminal was gone.
 * @throws TerminalFormatError naming the field when the configuration cannot be written as ABECS wants it
 */
export function openGertecDriver({ port, clock, config, log }: GertecDriverOptions): TerminalDriver {
  checkConfig(config);
  return openSessionDriver({ port, clock, log, openLine: (pipe) => gertecLine(pipe, clock, config) });
}
