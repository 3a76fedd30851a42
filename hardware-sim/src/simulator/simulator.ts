import { join } from 'node:path';
import type { BytePipe } from '@tillbridge/wire/seams/byte-pipe.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { Seams } from '@tillbridge/wire/seams/seams.js';
import type { Transport } from '@tillbridge/wire/terminals/transports.js';
import { CardBox } from '../cards/card-box.js';
import { parseCardState } from '../cards/core/card-state.js';
import type { SimulatorConfig, TerminalConfig } from '../config/config.js';
import { faultPipe } from '../faults/fault-pipe.js';
import { FaultRegistry } from '../faults/fault-registry.js';
import { ApduLog, apduView } from '../inspection/apdu-log.js';
import { KernelLog } from '../inspection/kernel-log.js';
import { SaleLog } from '../inspection/sale-log.js';
import { WireLog } from '../inspection/wire-log.js';
import { hidPlug, parseTcpPort, tcpPlug } from '../ports/socket-plug.js';
import type { TerminalPlug } from '../ports/terminal-plug.js';
import { TerminalPort } from '../ports/terminal-port.js';
import { fileSlot } from '../state/state-slot.js';
import { AutoCardholder } from '../terminals/core/auto-cardholder.js';
import { ScenarioCardholder } from '../terminals/core/scenario-cardholder.js';
import { modelSpec } from '../terminals/models.js';
import type { SimulatedTerminal } from './simulated-terminal.js';
import { SimulatorEvents } from './simulator-events.js';
import { TerminalLine } from './terminal-line.js';
import { terminalView } from './terminal-view.js';

/** What the simulator takes from the outside harness. */
interface SimulatorSeams extends Seams {
  /** Called with errors inside a terminal that no protocol status describes. */
  readonly onFault: (terminalId: string, error: unknown) => void;
}

/** The terminals: every card and every terminal. */
export interface SimulatedTerminals {
  readonly box: CardBox;
  readonly terminals: ReadonlyMap<string, SimulatedTerminal>;
  readonly events: SimulatorEvents;
}

/** Builds cards and terminals over the home's files; nothing is plugged in yet. */
export function buildTerminals(config: SimulatorConfig, seams: SimulatorSeams): SimulatedTerminals {
  const box = new CardBox((name) => fileSlot(join(config.home, 'cards', `${name}.json`), parseCardState));
  const events = new SimulatorEvents();
  const terminals = new Map<string, SimulatedTerminal>();
  for (const terminal of config.terminals)
    terminals.set(terminal.id, buildTerminal(config, terminal, seams, box, events));
  return { box, terminals, events };
}

function buildTerminal(
  config: SimulatorConfig,
  terminal: TerminalConfig,
  { clock, random, onFault }: SimulatorSeams,
  box: CardBox,
  events: SimulatorEvents,
): SimulatedTerminal {
  const folder = join(config.home, 'terminals', terminal.id);
  const { id: terminalId, deviceType, transport } = terminal;
  let newestSale = 0;
  const sales = new SaleLog({
    deviceType,
    clock,
    faults: () => faults.pending,
    onChange: (sale) => {
      events.tell('sale', { terminalId, ...sale });
      const begins = sale.number > newestSale;
      newestSale = Math.max(newestSale, sale.number);
      if (begins && !sale.scenario) cardholder.begin([]);
      else if (sale.scenario?.differences) cardholder.finish();
    },
  });
  const wire = new WireLog({ deviceType, transport, clock, sales });
  const apdus = new ApduLog(clock, sales);
  const kernel = new KernelLog(
    clock,
    (transaction) => events.tell('kernel', { terminalId, transaction }),
    () => ({ ...sales.place, apdu: apdus.exchanges.last }),
  );
  wire.frames.watch((frame) => events.tell('frame', { terminalId, ...wire.view(frame) }));
  apdus.exchanges.watch((apdu) => events.tell('apdu', { terminalId, ...apduView(apdu) }));
  const device = new (modelSpec(deviceType).Device)({
    ...terminal,
    clock,
    random,
    presentAheadMs: config.presentAheadMs,
    slot: (name, parse) => fileSlot(join(folder, `${name}.json`), parse),
    onFault: (error) => onFault(terminalId, error),
    inspection: {
      tapCard: (card, presentation) => apdus.tap(card, presentation),
      onDecision: (decision, data) => {
        kernel.add(decision, data);
        sales.decided(decision);
      },
      onAct: (act) => sales.acted(act),
    },
  });
  const faults = new FaultRegistry(device.lineStyle, (standing) => device.setDeviceFaults(standing));
  const replug = async (): Promise<void> => {
    await port.unplug();
    await port.plug();
  };
  const line = new TerminalLine({
    clock,
    wire,
    replug,
    attachDevice: (pipe) =>
      device.attach(
        faultPipe(pipe, faults, clock, {
          reset: () => device.reset(),
          unplug: (forMs) => void unplugFor(port, clock, forMs, tell),
          unsolicited: () => device.unsolicited(),
        }),
      ),
    onChange: () => tell(),
  });
  const port = buildPlug(transport, join(config.home, 'ports', terminalId), folder, (pipe) =>
    line.attach(pipe),
  );
  const holder = config.auto
    ? new AutoCardholder(device.ui, {
        clock,
        box,
        defaultCard: terminal.defaultCard,
        delayMs: config.autoDelayMs,
      })
    : undefined;
  const cardholder = new ScenarioCardholder(device.ui, clock, box);
  const stop = (): void => {
    holder?.stop();
    cardholder.stop();
    line.stopRecording();
  };
  const tell = (): void => events.tell('terminal', terminalView(built));
  const built = { device, port, faults, line, wire, apdus, kernel, sales, cardholder, changed: tell, stop };
  device.ui.watch(tell);
  return built;
}

/** Unplugs the terminal and plugs it in again later; does nothing if it was plugged in meanwhile. */
async function unplugFor(port: TerminalPlug, clock: Clock, forMs: number, tell: () => void): Promise<void> {
  await port.unplug();
  tell();
  clock.setTimer(forMs, () => void port.plug().then(tell));
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
