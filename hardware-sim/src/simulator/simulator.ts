import { join } from 'node:path';
import type { BytePipe } from '@tillbridge/protocol/seams/byte-pipe.js';
import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import type { Random } from '@tillbridge/protocol/seams/random.js';
import type { Transport } from '@tillbridge/protocol/terminals/transports.js';
import { CardBox } from '../cards/card-box.js';
import { parseCardState } from '../cards/core/card-state.js';
import type { SimulatorConfig, TerminalConfig } from '../config/config.js';
import { faultPipe } from '../faults/fault-pipe.js';
import { FaultRegistry } from '../faults/fault-registry.js';
import { hidPlug, parseTcpPort, tcpPlug } from '../ports/socket-plug.js';
import type { TerminalPlug } from '../ports/terminal-plug.js';
import { TerminalPort } from '../ports/terminal-port.js';
import { fileSlot } from '../state/state-slot.js';
import { AutoCardholder } from '../terminals/core/auto-cardholder.js';
import type { SimulatedDevice } from '../terminals/core/simulated-device.js';
import { modelSpec } from '../terminals/models.js';

/** A terminal with its plug, its faults and its cardholder. */
export interface SimulatedTerminal {
  readonly device: SimulatedDevice;
  readonly port: TerminalPlug;
  readonly faults: FaultRegistry;
  readonly stop: () => void;
}

/** What the simulator takes from the outside harness. */
export interface SimulatorSeams {
  readonly clock: Clock;
  readonly random: Random;
  /** Called with errors inside a terminal that no protocol status describes. */
  readonly onFault: (terminalId: string, error: unknown) => void;
}

/** The terminals: every card and every terminal. */
export interface SimulatedTerminals {
  readonly box: CardBox;
  readonly terminals: ReadonlyMap<string, SimulatedTerminal>;
}

/** Builds cards and terminals over the home's files; nothing is plugged in yet. */
export function buildTerminals(config: SimulatorConfig, seams: SimulatorSeams): SimulatedTerminals {
  const box = new CardBox((name) => fileSlot(join(config.home, 'cards', `${name}.json`), parseCardState));
  const terminals = new Map<string, SimulatedTerminal>();
  for (const terminal of config.terminals)
    terminals.set(terminal.id, buildTerminal(config, terminal, seams, box));
  return { box, terminals };
}

function buildTerminal(
  config: SimulatorConfig,
  terminal: TerminalConfig,
  { clock, random, onFault }: SimulatorSeams,
  box: CardBox,
): SimulatedTerminal {
  const folder = join(config.home, 'terminals', terminal.id);
  const { id, transport } = terminal;
  const device = new (modelSpec(terminal.deviceType).Device)({
    ...terminal,
    clock,
    random,
    presentAheadMs: config.presentAheadMs,
    slot: (name, parse) => fileSlot(join(folder, `${name}.json`), parse),
    onFault: (error) => onFault(id, error),
  });
  const faults = new FaultRegistry(device.lineStyle, (standing) => device.setDeviceFaults(standing));
  const plugged = (line: BytePipe): void =>
    device.attach(
      faultPipe(line, faults, clock, {
        reset: () => device.reset(),
        unplug: (forMs) => void replug(port, clock, forMs),
        unsolicited: () => device.unsolicited(),
      }),
    );
  const port = buildPlug(transport, join(config.home, 'ports', id), folder, plugged);
  const holder = config.auto
    ? new AutoCardholder(device.ui, {
        clock,
        box,
        defaultCard: terminal.defaultCard,
        delayMs: config.autoDelayMs,
      })
    : undefined;
  return { device, port, faults, stop: () => holder?.stop() };
}

/** Unplugs the terminal and plugs it in again later; does nothing if it was plugged in meanwhile. */
async function replug(port: TerminalPlug, clock: Clock, afterMs: number): Promise<void> {
  await port.unplug();
  clock.setTimer(afterMs, () => void port.plug());
}

function buildPlug(
  transport: Transport,
  path: string,
  folder: string,
  onPlug: (line: BytePipe) => void,
): TerminalPlug {
  switch (transport) {
    case 'serial':
      return new TerminalPort(path, onPlug);
    case 'hid':
      return hidPlug(`${path}.hid`, onPlug);
    case 'tcp':
      return tcpPlug(fileSlot(join(folder, 'tcp-port.json'), parseTcpPort), onPlug);
  }
}
