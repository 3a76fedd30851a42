import type { CapkRecord } from '@tillbridge/protocol/crypto/capk.js';
import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import type { TerminalConfig } from '../config/terminals.js';
import type { AgentLog } from '../log.js';
import { openPort, type Transport } from '../ports/open-port.js';
import { type PortSupervisor, supervisePort } from '../ports/port-supervisor.js';
import { openTraceFile, type TraceFile } from '../ports/recording-pipe.js';
import type { TerminalDriver } from './core/driver.js';
import type { DeviceRegistry } from './device-registry.js';
import { type DeviceType, deviceTypeSpec } from './device-types.js';
import type { TablePlace } from './gertec/config.js';
import { RegisteredDriver } from './registered-driver.js';

/** What every driver needs. */
export interface DriverParts {
  readonly port: PortSupervisor;
  readonly clock: Clock;
  readonly log: AgentLog;
  readonly place: TablePlace;
  /** How it is plugged in: framing may follow from it. */
  readonly transport: Transport;
  /** Certification authorities whose cards the terminal trusts; those of test cards when absent. */
  readonly capks?: readonly CapkRecord[];
}

/** A terminal's driver, and what keeps its line. */
export interface OpenTerminal {
  readonly config: TerminalConfig;
  readonly driver: TerminalDriver;
  /** Why nothing can be sold here, for a person: the line is not open, or another device is plugged in. */
  lineProblem(): string | undefined;
  /** `pos.deviceId`; undefined before a device was ever there. */
  deviceId(): string | undefined;
}

/** The driver of each model; only that of a configured model is loaded. */
const DRIVERS: Readonly<Record<DeviceType, (parts: DriverParts) => Promise<TerminalDriver>>> = {
  GERTEC_PPC930: async ({ port, clock, log, place, capks }) => {
    const { openGertecDriver } = await import('./gertec/gertec-driver.js');
    const { developmentConfig } = await import('./gertec/default-tables.js');
    return openGertecDriver({ port, clock, log, config: developmentConfig(place, capks) });
  },
  IDTECH_VP6800: async ({ port, clock, log, transport }) => {
    const { openIdtechDriver } = await import('./idtech/idtech-driver.js');
    return openIdtechDriver({ port, clock, log, transport, idleText: IDLE_TEXT });
  },
  MAGTEK_DYNAFLEX: async ({ port, clock, log, transport }) => {
    const { openMagtekDriver } = await import('./magtek/magtek-driver.js');
    return openMagtekDriver({ port, clock, log, transport: transport === 'serial' ? 'serial' : 'hid' });
  },
  MIURA_M020: async ({ port, clock, log }) => {
    const { openMiuraDriver } = await import('./miura/miura-driver.js');
    return openMiuraDriver({ port, clock, log, idleText: IDLE_TEXT });
  },
  NEWLAND_P180: async ({ port, clock, log }) => {
    const { openNewlandDriver } = await import('./newland/newland-driver.js');
    return openNewlandDriver({ port, clock, log, idleText: IDLE_TEXT });
  },
  VERIFONE_P400: async ({ port, clock, log, transport }) => {
    const { openVerifoneDriver } = await import('./verifone/verifone-driver.js');
    return openVerifoneDriver({ port, clock, log, transport, idleText: IDLE_TEXT });
  },
};

/** Shown while nothing runs. */
const IDLE_TEXT = 'TILLBRIDGE READY';

/** Opens a configured terminal. Its port may be absent: the driver connects when it appears. */
export async function openTerminal(
  config: TerminalConfig,
  place: Omit<TablePlace, 'terminalId'>,
  parts: Pick<DriverParts, 'clock' | 'log' | 'capks'> & { readonly registry: DeviceRegistry },
): Promise<OpenTerminal> {
  const { reportIds } = deviceTypeSpec(config.deviceType);
  const log = parts.log.child({ terminalId: config.id });
  const trace = openTrace(config, parts);
  const port = supervisePort({
    open: async () => {
      const pipe = await openPort({ ...config, reportIds }, parts.clock);
      return trace ? trace.watch(pipe) : pipe;
    },
    clock: parts.clock,
  });
  const terminalId = config.id.slice(-TERMINAL_ID_LENGTH).padStart(TERMINAL_ID_LENGTH, '0');
  const maker = await DRIVERS[config.deviceType]({
    port,
    clock: parts.clock,
    transport: config.transport,
    log,
    place: { ...place, terminalId },
    ...(parts.capks && { capks: parts.capks }),
  });
  const { serial, deviceId } = config;
  const driver = new RegisteredDriver({
    terminalId: config.id,
    driver: maker,
    registry: parts.registry,
    log,
    ...(serial !== undefined && { serial }),
    ...(deviceId !== undefined && { deviceId }),
  });
  return {
    config,
    driver,
    lineProblem: () => (port.state.kind === 'waiting' ? port.state.reason : driver.problem),
    deviceId: () => driver.deviceId,
  };
}

/** A trace that cannot be begun is told, and the terminal works without. */
function openTrace(
  { trace: path, deviceType, transport }: TerminalConfig,
  { clock, log }: { readonly clock: Clock; readonly log: AgentLog },
): TraceFile | undefined {
  if (path === undefined) return undefined;
  const onFault = (reason: string): void => log.warn({ path }, reason);
  try {
    return openTraceFile({ path, header: { deviceType, transport }, clock, onFault });
  } catch (error) {
    onFault(`the trace cannot be begun: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

/** Tag 9F1C has eight characters (EMV Book 3 Annex A). */
const TERMINAL_ID_LENGTH = 8;
