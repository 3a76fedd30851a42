import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import type { PortSupervisor } from '../../ports/port-supervisor.js';
import type { TerminalDriver } from '../core/driver.js';
import { openSessionDriver } from '../core/session-driver.js';
import type { DriverLog } from '../core/terminal-connection.js';
import { miuraLine } from './session.js';

/** What a Miura driver needs. */
export interface MiuraDriverOptions {
  /** The supervised port; the driver owns it from now on. */
  readonly port: PortSupervisor;
  readonly clock: Clock;
  readonly log: DriverLog;
  /** Shown while nothing runs. */
  readonly idleText: string;
}

/** Opens a driver for a Miura M020 (MPI); it connects by itself, and again whenever the terminal was gone. */
export function openMiuraDriver({ port, clock, log, idleText }: MiuraDriverOptions): TerminalDriver {
  return openSessionDriver({ port, clock, log, openLine: (pipe) => miuraLine(pipe, clock, idleText) });
}
