import type { StreamState } from '@tillbridge/panel-kit/events.js';
import { State } from '@tillbridge/panel-kit/state.js';
import type {
  ApduView,
  CardDetail,
  CardView,
  FrameView,
  NetworkState,
  ReceiptView,
  RecordingView,
  ResponseRule,
  SaleView,
  Scenario,
  TerminalDetail,
  TerminalView,
  TransactionView,
} from '../api/types.js';
import { NO_PLACE, type Place } from './place.js';

/** Rows of a list that the page keeps; older ones are forgotten, so that its memory stays flat. */
export const MAX_ROWS = 500;

/** Rules of the acquirer host, or why there are none. */
export type HostRules =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'absent'; readonly reason: string }
  | { readonly kind: 'rules'; readonly rules: readonly ResponseRule[] };

/** What the page knows: all of it is the simulator's, but for the choices of this page. */
interface Panel {
  readonly link: StreamState;
  readonly terminals: readonly TerminalView[];
  readonly cards: readonly CardView[];
  /** Absent without a proxy. */
  readonly network?: NetworkState;
  /** Name of the card in hand. */
  readonly hand: string;
  /** Id of the terminal that is looked at; the lists below are its own. */
  readonly looked: string;
  /** What the address names. */
  readonly place: Place;
  readonly frames: readonly FrameView[];
  readonly apdus: readonly ApduView[];
  readonly transactions: readonly TransactionView[];
  readonly sales: readonly SaleView[];
  /** The lists of this terminal have been read. */
  readonly isRead: boolean;
  readonly detail?: TerminalDetail;
  readonly handState?: CardDetail;
  readonly recordings: readonly RecordingView[];
  readonly scenarios: readonly Scenario[];
  readonly receipts: readonly ReceiptView[];
  readonly hostRules: HostRules;
}

/** A page that has read nothing yet. */
export const panel = new State<Panel>({
  link: 'connecting',
  terminals: [],
  cards: [],
  hand: '',
  looked: '',
  place: NO_PLACE,
  frames: [],
  apdus: [],
  transactions: [],
  sales: [],
  isRead: false,
  recordings: [],
  scenarios: [],
  receipts: [],
  hostRules: { kind: 'unknown' },
});

/** Puts new rows behind those that are kept, each number once. */
export function withRows<T extends { readonly number: number }>(
  kept: readonly T[],
  more: readonly T[],
): readonly T[] {
  const last = kept.at(-1)?.number ?? 0;
  const fresh = more.filter(({ number }) => number > last);
  return fresh.length === 0 ? kept : [...kept, ...fresh].slice(-MAX_ROWS);
}

/** Sales of a terminal that the page keeps. */
const MAX_SALES = 50;

/** Puts a sale in the place of its former state. */
export function withSale(all: readonly SaleView[], changed: SaleView): readonly SaleView[] {
  return all.some(({ id }) => id === changed.id)
    ? all.map((sale) => (sale.id === changed.id ? changed : sale))
    : [...all, changed].slice(-MAX_SALES);
}

/** Puts a terminal in the place of its former state. */
export function withTerminal(all: readonly TerminalView[], changed: TerminalView): readonly TerminalView[] {
  return all.some(({ id }) => id === changed.id)
    ? all.map((terminal) => (terminal.id === changed.id ? changed : terminal))
    : [...all, changed];
}
