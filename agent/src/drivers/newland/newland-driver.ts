import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import type { PortSupervisor } from '../../ports/port-supervisor.js';
import type { TerminalDriver } from '../core/driver.js';
import { openSessionDriver } from '../core/session-driver.js';
import type { DriverLog } from '../core/terminal-connection.js';
import { newlandLine } from './session.js';

/** What a Newland driver needs. */
export interface NewlandDriverOptions {
  /** The supervised port; the driver owns it from now on. */
  readonly port: PortSupervisor;
  readonly clock: Clock;
  readonly log: DriverLog;
  /** Shown while nothing runs. */
  readonly idleText: string;
}

/** Opens a driver for a Newland P180; it connects by itself, and again whenever the terminal was gone. */
export function openNewlandDriver({ port, clock, log, idleText }: NewlandDriverOptions): TerminalDriver {
  return openSessionDriver({ port, clock, log, openLine: (pipe) => newlandLine(pipe, clock, idleText) });
}
