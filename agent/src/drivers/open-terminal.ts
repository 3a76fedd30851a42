import type { CapkRecord } from '@tillbridge/wire/crypto/emv/capk.js';
import { present } from '@tillbridge/wire/present.js';
import type { BytePipe } from '@tillbridge/wire/seams/byte-pipe.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { DeviceType } from '@tillbridge/wire/terminals/device-types.js';
import type { AgentLog } from '../log/log.js';
import { LineProbe, type LineSettings } from '../ports/line-probe.js';
import { openPort, type PortSettings } from '../ports/open-port.js';
import { type PortFault, supervisePort } from '../ports/port-supervisor.js';
import { openTraceFile, type TraceFile } from '../ports/recording-pipe.js';
import type { TerminalDriver } from './core/driver.js';
import type { TerminalPlace } from './core/maker-session.js';
import { openSessionDriver } from './core/session-driver.js';
import { DevicePlace } from './device-place.js';
import type { DeviceRegistry } from './device-registry.js';
import { deviceTypeSpec } from './device-types.js';

/** A terminal as configured. */
interface TerminalSettings extends Omit<PortSettings, 'reportIds' | 'usage'> {
  /** `pos.terminalId`, digits. */
  readonly id: string;
  readonly deviceType: DeviceType;
  /** What staff calls it. */
  readonly name?: string;
  /** `pos.deviceId`; without one it follows from the maker's serial. */
  readonly deviceId?: string;
  /** The maker's serial of the device that belongs here; without one the first device is taken for its own. */
  readonly serial?: string;
  /** File into which what passes over the line is recorded, masked. */
  readonly trace?: string;
  /** How its serial line is set is found out, beginning with `line`. */
  readonly findsLine?: true;
}

/** What every terminal of an agent shares. */
interface TerminalDeps {
  readonly clock: Clock;
  readonly log: AgentLog;
  readonly registry: DeviceRegistry;
  /** Certification authorities whose cards the terminals trust; those of test cards when absent. */
  readonly capks?: readonly CapkRecord[];
  /** Stands before each pipe that is opened. */
  readonly watch?: (pipe: BytePipe) => BytePipe;
}

/** Why nothing can be sold on a terminal's line. */
export interface LineFault {
  readonly code: PortFault | 'wrong-device';
  /** For a person. */
  readonly text: string;
}

/** A terminal's driver, and what keeps its line. */
export interface OpenTerminal {
  readonly config: TerminalSettings;
  readonly driver: TerminalDriver;
  /** Why nothing can be sold here, for a person: the line is not open, or another device is plugged in. */
  lineProblem(): string | undefined;
  /** The same with its code. */
  lineFault(): LineFault | undefined;
  /** The settings of its serial line that were found out; undefined where they are configured, or not known yet. */
  foundLine(): LineSettings | undefined;
  /** `pos.deviceId`; undefined before a device was ever there. */
  deviceId(): string | undefined;
}

/** Shown while nothing runs. */
const IDLE_TEXT = 'TILLBRIDGE READY';

/** Opens a configured terminal. Its port may be absent: the driver connects when it appears. */
export async function openTerminal(
  config: TerminalSettings,
  place: Omit<TerminalPlace, 'terminalId'>,
  deps: TerminalDeps,
): Promise<OpenTerminal> {
  const { reportIds, usage, load } = deviceTypeSpec(config.deviceType);
  const { clock, capks, watch = (pipe: BytePipe) => pipe } = deps;
  const log = deps.log.child({ terminalId: config.id });
  const trace = openTrace(config, deps);
  const probe = config.findsLine ? new LineProbe(config.line) : undefined;
  const port = supervisePort({
    open: async () => {
      const line = probe?.opening() ?? config.line;
      const pipe = watch(await openPort({ ...config, line, reportIds, ...present({ usage }) }, clock));
      return trace ? trace.watch(pipe) : pipe;
    },
    clock,
  });
  const terminalId = config.id.slice(-TERMINAL_ID_LENGTH).padStart(TERMINAL_ID_LENGTH, '0');
  const { transport } = config;
  const { openMaker } = await load();
  const openLine = openMaker({
    clock,
    transport,
    idleText: IDLE_TEXT,
    place: { ...place, terminalId },
    ...(capks && { capks }),
  });
  const { serial, deviceId } = config;
  const registered = new DevicePlace({
    terminalId: config.id,
    registry: deps.registry,
    log,
    ...(serial !== undefined && { serial }),
    ...(deviceId !== undefined && { deviceId }),
  });
  const lineFault = (): LineFault | undefined => {
    if (port.state.kind === 'waiting') return { code: port.state.fault, text: port.state.reason };
    return registered.problem === undefined ? undefined : { code: 'wrong-device', text: registered.problem };
  };
  return {
    config,
    driver: openSessionDriver({
      ...{ port, clock, log, openLine, refuse: (device) => registered.meet(device) },
      ...(probe && { probe }),
    }),
    lineProblem: () => lineFault()?.text,
    lineFault,
    foundLine: () => (probe?.isFound ? probe.current : undefined),
    deviceId: () => registered.deviceId,
  };
}

/** Opens the trace file. When that fails, the agent logs it and the terminal works without a trace. */
function openTrace(
  { trace: path, deviceType, transport }: TerminalSettings,
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
