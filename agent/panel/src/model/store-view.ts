import type { StreamEvent } from '@tillbridge/panel-kit/events.js';
import type {
  Caller,
  Condition,
  History,
  LinkState,
  Progress,
  Queue,
  Sale,
  Status,
  Terminal,
} from '../api/answers.js';
import type { Remembered } from '../api/remembered.js';
import { isCancellable } from './sale-words.js';

/** How many of the last sales are kept. */
export const MAX_SALES = 50;

/** Everything the panel shows. */
export interface StoreView {
  readonly caller: Caller;
  /** The terminal that this till had before it signed in. */
  readonly remembered: Remembered;
  /** Whether the agent answers; what is shown is as old as `receivedAtMs` otherwise. */
  readonly reached: boolean;
  readonly receivedAtMs: number | undefined;
  readonly status: Status | undefined;
  /** Undefined also where the till may not see it. */
  readonly queue: Queue | undefined;
  readonly history: History | undefined;
  /** Newest first. */
  readonly sales: readonly Sale[];
  /** Whether the last sales have been read; before, only those of events are there. */
  readonly isListed: boolean;
  /** What each terminal does for a sale, by its id. */
  readonly progress: Readonly<Record<string, Progress>>;
  readonly conditions: Readonly<Record<string, Condition>>;
  /** The terminal that is worked with. */
  readonly selected: string | undefined;
  /** The sale that each terminal shows, by its id: the running one, then its answer until it is put away. */
  readonly shown: Readonly<Record<string, string>>;
}

/** The view of a user who has just signed in. */
export function emptyView(caller: Caller, remembered: Remembered = {}): StoreView {
  return {
    caller,
    remembered,
    reached: false,
    receivedAtMs: undefined,
    status: undefined,
    queue: undefined,
    history: undefined,
    sales: [],
    isListed: false,
    progress: {},
    conditions: {},
    selected: undefined,
    shown: {},
  };
}

/** The terminal that is worked with, as it now stands. */
export function selectedTerminal({ status, selected }: StoreView): Terminal | undefined {
  return status?.terminals.find(({ id }) => id === selected);
}

/** The sale that a terminal shows. */
export function shownSale({ sales, shown }: StoreView, terminalId: string): Sale | undefined {
  const reference = shown[terminalId];
  return reference === undefined ? undefined : sales.find((sale) => sale.reference === reference);
}

/** The view with a new status. */
export function withStatus(view: StoreView, status: Status): StoreView {
  const { terminals } = status;
  const shown = { ...view.shown };
  for (const { id, runningReference } of terminals)
    if (runningReference !== undefined) shown[id] = runningReference;
  return {
    ...view,
    status,
    shown,
    selected: chosen(view, terminals)?.id,
  };
}

/** The terminal that is worked with; after the sign-in that of this till, else a free one: a busy one is another till's. */
function chosen({ selected, remembered }: StoreView, terminals: readonly Terminal[]): Terminal | undefined {
  const now = terminals.find(({ id }) => id === selected);
  if (now) return now;
  const own = terminals.find(({ id }) => id === remembered.terminalId);
  if (own && (own.state !== 'busy' || own.runningReference === remembered.sale)) return own;
  return (
    terminals.find(({ state }) => state === 'ready') ??
    terminals.find(({ state }) => state !== 'busy') ??
    terminals[0]
  );
}

/** The view with a new list of sales, newest first; what is shown on a terminal stays. */
export function withSales(view: StoreView, sales: readonly Sale[]): StoreView {
  const listed = new Set(sales.map(({ reference }) => reference));
  const held = new Set(Object.values(view.shown));
  const kept = view.sales.filter(({ reference }) => held.has(reference) && !listed.has(reference));
  return { ...view, isListed: true, sales: [...sales.slice(0, MAX_SALES), ...kept] };
}

/** With a sale as it now stands. */
export function withSale(view: StoreView, sale: Sale): StoreView {
  const { reference, terminalId } = sale;
  const at = view.sales.findIndex((each) => each.reference === reference);
  const before = at < 0 ? undefined : view.sales[at];
  // An answer of a call may be older than an event.
  if (before && before.timeline.length > sale.timeline.length) return view;
  if (before) return { ...view, sales: view.sales.with(at, sale) };
  // One whose card is no longer at work has left its terminal, where another may run by now.
  const shown = isCancellable(sale) ? { ...view.shown, [terminalId]: reference } : view.shown;
  const held = new Set(Object.values(shown));
  const rest = view.sales.filter((each, place) => place < MAX_SALES - 1 || held.has(each.reference));
  const place = rest.findIndex((each) => acceptedAt(each) <= acceptedAt(sale));
  return { ...view, shown, sales: rest.toSpliced(place < 0 ? rest.length : place, 0, sale) };
}

function acceptedAt({ timeline }: Sale): string {
  return timeline[0]?.at ?? '';
}

/** With an answer put away: the terminal is ready for the next sale. */
export function withoutShown(view: StoreView, terminalId: string): StoreView {
  const { [terminalId]: _away, ...shown } = view.shown;
  return { ...view, shown };
}

/** With the content of an event. */
export function withEvent(view: StoreView, { type, data }: StreamEvent): StoreView {
  switch (type) {
    case 'sale':
    case 'declined-later':
    case 'expired':
      return withSale(view, (data as { readonly sale: Sale }).sale);
    case 'progress':
      return withProgress(view, data as Progress);
    case 'gateway':
      return withLink(view, data as { readonly state: LinkState; readonly silent?: true });
    case 'terminal':
      return withTerminal(view, (data as { readonly terminal: Terminal }).terminal);
    default:
      return view;
  }
}

/** A text on the display of a terminal belongs to the step before it. */
function withProgress(view: StoreView, progress: Progress): StoreView {
  const { terminalId, reference, text } = progress;
  const before = view.progress[terminalId];
  const isText = progress.step === 'message' && before?.reference === reference && text !== undefined;
  return { ...view, progress: { ...view.progress, [terminalId]: isText ? { ...before, text } : progress } };
}

function withLink(
  view: StoreView,
  { state, silent }: { readonly state: LinkState; readonly silent?: true },
): StoreView {
  const { status } = view;
  if (!status) return view;
  const { silent: _before, ...gateway } = status.gateway;
  return { ...view, status: { ...status, gateway: { ...gateway, state, ...(silent && { silent }) } } };
}

function withTerminal(view: StoreView, terminal: Terminal): StoreView {
  const { status } = view;
  if (!status) return view;
  const terminals = status.terminals.map((each) =>
    each.id === terminal.id ? changed(each, terminal) : each,
  );
  return withStatus(view, { ...status, terminals });
}

/** An event has neither the name of a terminal nor why its line is not open. */
function changed({ name, fault, reason }: Terminal, terminal: Terminal): Terminal {
  const isAway = terminal.state === 'disconnected';
  return {
    ...(name !== undefined && { name }),
    ...(isAway && fault !== undefined && { fault }),
    ...(isAway && reason !== undefined && { reason }),
    ...terminal,
  };
}
