import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { Transport } from '@tillbridge/wire/terminals/transports.js';
import type { PortSupervisor } from '../../ports/port-supervisor.js';
import type { StartRequest, TerminalDriver } from './driver.js';
import type { CommandHooks, OpenMaker, Sale, TerminalPlace } from './maker-session.js';
import { isFailed } from './result.js';
import { openSessionDriver } from './session-driver.js';
import type { DriverLog } from './terminal-connection.js';
import { transactionValues } from './transaction-values.js';

/** A shop that tests sell in. */
export const TEST_PLACE: TerminalPlace = {
  country: '276',
  currency: 'EUR',
  merchantCategory: '5999',
  merchantId: 'SHOP1',
  terminalId: 'T1',
};

/** A sale as the driver gives it to a maker. */
export function testSale(request: StartRequest, hooks: CommandHooks): Sale {
  const values = transactionValues(request);
  if (isFailed(values)) throw new Error(values.detail);
  return { request, values, hooks: { ...hooks, leftMs: () => request.cardTimeoutMs } };
}

/** A maker's real driver on a port of a test. */
export function openTestDriver(
  openMaker: OpenMaker,
  {
    port,
    clock,
    log = { info: () => {}, warn: () => {} },
    transport = 'serial',
  }: {
    readonly port: PortSupervisor;
    readonly clock: Clock;
    readonly log?: DriverLog;
    readonly transport?: Transport;
  },
): TerminalDriver {
  const openLine = openMaker({ clock, transport, idleText: 'READY', place: TEST_PLACE });
  return openSessionDriver({ port, clock, log, openLine });
}
