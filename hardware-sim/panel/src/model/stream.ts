import { EventClient, type StreamEvent } from '@tillbridge/panel-kit/events.js';
import type {
  ApduView,
  FrameView,
  NetworkState,
  SaleView,
  SimulatorEventData,
  TerminalView,
} from '../api/types.js';
import { MAX_ROWS, panel, withRows, withSale, withTerminal } from './model.js';
import { readAll, readHand, readList, readLooked, readRules, readStates } from './reading.js';

/** How often the page takes what has come, and reads counters anew, in milliseconds. */
const TAKE_MS = 50;
const STATES_MS = 250;
/** Wait before the page repeats a request that the simulator did not answer. */
const RETRY_MS = 1_000;

const TYPES = ['hello', 'terminal', 'frame', 'apdu', 'sale', 'kernel', 'network', 'changed'] as const;

/** What the events of rows carry in addition. */
interface OfTerminal {
  readonly terminalId: string;
}

/** Rows that came and are not shown yet: never more than the page keeps. */
const waiting: { frames: (FrameView & OfTerminal)[]; apdus: (ApduView & OfTerminal)[] } = {
  frames: [],
  apdus: [],
};
const timers = new Map<string, ReturnType<typeof setTimeout>>();

/** Follows the simulator's events for as long as the page is open. */
export function follow(): EventClient {
  return new EventClient({
    address: async () => '/events',
    types: TYPES,
    onEvent: take,
    onState: (link) => panel.change((now) => ({ ...now, link })),
  });
}

function take({ type, data }: StreamEvent): void {
  const { terminalId } = data as { readonly terminalId?: string };
  const isLooked = terminalId === panel.value.looked;
  switch (type) {
    case 'hello':
      again('all', 0, readAll);
      break;
    case 'terminal': {
      const terminal = data as TerminalView;
      panel.change((now) => ({ ...now, terminals: withTerminal(now.terminals, terminal) }));
      if (terminal.id === panel.value.looked) again('states', STATES_MS, readStates);
      break;
    }
    case 'frame':
      if (isLooked) wait(waiting.frames, data as FrameView & OfTerminal);
      break;
    case 'apdu':
      if (isLooked) wait(waiting.apdus, data as ApduView & OfTerminal);
      break;
    case 'sale': {
      const { terminalId: _, ...sale } = data as SaleView & OfTerminal;
      if (isLooked) panel.change((now) => ({ ...now, sales: withSale(now.sales, sale) }));
      break;
    }
    case 'kernel':
      if (isLooked) again('states', STATES_MS, readStates);
      break;
    case 'network':
      panel.change((now) => ({ ...now, network: data as NetworkState }));
      break;
    case 'changed': {
      const { list } = data as SimulatorEventData['changed'];
      if (list === 'cards') again('hand', TAKE_MS, readHand);
      else if (list === 'rules') again(list, TAKE_MS, readRules);
      else again(list, TAKE_MS, () => readList(list));
    }
  }
}

function wait<T>(rows: T[], row: T): void {
  rows.push(row);
  if (rows.length > MAX_ROWS) rows.splice(0, rows.length - MAX_ROWS);
  again('rows', TAKE_MS, async () => takeRows());
}

/** Shows what waits of the terminal that is looked at by now. Rows that were missed in between are read. */
function takeRows(): void {
  const isLooked = ({ terminalId }: OfTerminal) => terminalId === panel.value.looked;
  const frames = waiting.frames.splice(0).filter(isLooked);
  const apdus = waiting.apdus.splice(0).filter(isLooked);
  const { frames: shown } = panel.value;
  const isGap = (frames[0]?.number ?? 1) > (shown.at(-1)?.number ?? 0) + 1 && frames.length < MAX_ROWS;
  panel.change((now) => ({
    ...now,
    frames: withRows(now.frames, frames),
    apdus: withRows(now.apdus, apdus),
  }));
  if (isGap) again('looked', STATES_MS, readLooked);
}

/** Does something soon, once for all who ask meanwhile; again later while the simulator does not answer. */
function again(name: string, afterMs: number, work: () => Promise<void>): void {
  if (timers.has(name)) return;
  timers.set(
    name,
    setTimeout(() => {
      timers.delete(name);
      work().catch(() => {
        if (panel.value.link === 'open') again(name, RETRY_MS, work);
      });
    }, afterMs),
  );
}
