import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import type { PortSupervisor } from '../../ports/port-supervisor.js';
import type { TerminalDriver } from '../core/driver.js';
import { openSessionDriver } from '../core/session-driver.js';
import type { DriverLog } from '../core/terminal-connection.js';
import type { IssuerPatience } from './device.js';
import { hidFraming, slipFraming } from './framing.js';
import { ISSUER_RETRIES, ISSUER_WAIT_SECONDS } from './limits.js';
import { magtekLine } from './session.js';

/** What a MagTek driver needs. */
export interface MagtekDriverOptions {
  /** The supervised port; the driver owns it from now on. */
  readonly port: PortSupervisor;
  readonly clock: Clock;
  readonly log: DriverLog;
  /** What the port is: reports over USB-HID, or SLIP over a serial line. */
  readonly transport: 'hid' | 'serial';
  /** How the device waits for the issuer; half a minute each time, ten minutes in all, when absent. */
  readonly patience?: IssuerPatience;
}

const PATIENCE: IssuerPatience = { seconds: ISSUER_WAIT_SECONDS, retries: ISSUER_RETRIES };

/** Opens a driver for a MagTek DynaFlex (MMS); it connects by itself, and again whenever the terminal was gone. */
export function openMagtekDriver({
  port,
  clock,
  log,
  transport,
  patience = PATIENCE,
}: MagtekDriverOptions): TerminalDriver {
  const framing = transport === 'hid' ? hidFraming : slipFraming;
  return openSessionDriver({
    port,
    clock,
    log,
    openLine: (pipe) => magtekLine(pipe, framing(), clock, patience),
  });
}
