import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import type { Transport } from '../../ports/open-port.js';
import type { PortSupervisor } from '../../ports/port-supervisor.js';
import type { TerminalDriver } from '../core/driver.js';
import { openSessionDriver } from '../core/session-driver.js';
import type { DriverLog } from '../core/terminal-connection.js';
import { verifoneLine } from './session.js';

/** What a Verifone driver needs. */
export interface VerifoneDriverOptions {
  /** The supervised port; the driver owns it from now on. */
  readonly port: PortSupervisor;
  readonly clock: Clock;
  readonly log: DriverLog;
  /** The framing follows from it: type B over TCP, type A over anything else. */
  readonly transport: Transport;
  /** Shown while nothing runs. */
  readonly idleText: string;
}

/** Opens a driver for a Verifone P400 (SDI); it connects by itself, and again whenever the terminal was gone. */
export function openVerifoneDriver(options: VerifoneDriverOptions): TerminalDriver {
  const { port, clock, log, transport, idleText } = options;
  const type = transport === 'tcp' ? 'B' : 'A';
  return openSessionDriver({
    port,
    clock,
    log,
    openLine: (pipe) => verifoneLine(pipe, clock, type, idleText),
  });
}
