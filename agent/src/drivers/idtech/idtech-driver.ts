import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import type { Transport } from '../../ports/open-port.js';
import type { PortSupervisor } from '../../ports/port-supervisor.js';
import type { TerminalDriver } from '../core/driver.js';
import { openSessionDriver } from '../core/session-driver.js';
import type { DriverLog } from '../core/terminal-connection.js';
import { idtechLine } from './session.js';

/** What an ID TECH driver needs. */
export interface IdtechDriverOptions {
  /** The supervised port; the driver owns it from now on. */
  readonly port: PortSupervisor;
  readonly clock: Clock;
  readonly log: DriverLog;
  /** Framing follows from it. */
  readonly transport: Transport;
  /** Shown while nothing runs. */
  readonly idleText: string;
}

/** Opens a driver for an ID TECH VP6800 (NEO 2); it connects by itself, and again whenever the terminal was gone. */
export function openIdtechDriver({
  port,
  clock,
  log,
  transport,
  idleText,
}: IdtechDriverOptions): TerminalDriver {
  const line = transport === 'hid' ? 'hid' : 'serial';
  return openSessionDriver({ port, clock, log, openLine: (pipe) => idtechLine(pipe, clock, line, idleText) });
}
