import type { Fault } from '../faults/fault.js';
import type { UiWant } from '../terminals/core/terminal-ui.js';
import type { SimulatedTerminal } from './simulated-terminal.js';
import type { ReplayView } from './terminal-line.js';

/** A terminal as `GET /terminals` and the event `terminal` show it. */
export interface TerminalView {
  readonly id: string;
  readonly deviceType: string;
  readonly state: string;
  readonly transport: string;
  readonly path: string;
  readonly plugged: boolean;
  /** Lines of its display. */
  readonly screen: readonly string[];
  /** Lines that it printed, where it has a printer; the last ones. */
  readonly printed: readonly string[];
  /** What it waits for. */
  readonly wants: UiWant;
  /** The ways in which it takes a card now. */
  readonly accepts: readonly string[];
  /** The card in its slot, or the one that was given last. */
  readonly card?: { readonly name: string; readonly how: string; readonly inserted: boolean };
  /** A card was presented before the terminal's request, and is used for the next one. */
  readonly cardReady: boolean;
  readonly faults: readonly Fault[];
  /** A recording that plays in its place, or the last one that did. */
  readonly replay?: ReplayView;
  /** Name of the recording that its line is written to. */
  readonly recording?: string;
}

/** What is to be seen of a terminal. */
export function terminalView({ device, port, faults, line }: SimulatedTerminal): TerminalView {
  const { ui } = device;
  const given = ui.inserted ?? ui.given;
  return {
    id: device.id,
    deviceType: device.deviceType,
    state: ui.state,
    transport: port.transport,
    path: port.path,
    plugged: port.plugged,
    screen: ui.screen,
    printed: ui.printed,
    wants: ui.want,
    accepts: [...ui.accepts],
    ...(given && {
      card: { name: given.definition.name, how: given.how, inserted: ui.inserted !== undefined },
    }),
    cardReady: ui.holdsCard,
    faults: faults.pending,
    ...(line.replay && { replay: line.replay }),
    ...(line.recording !== undefined && { recording: line.recording }),
  };
}
