import { RefusedError } from '@tillbridge/panel-kit/refused-error.js';
import { call, terminalPath } from '../api/calls.js';
import type {
  ApduView,
  CardDetail,
  CardView,
  FrameView,
  HostView,
  NetworkState,
  ReceiptView,
  RecordingView,
  SaleView,
  Scenario,
  TerminalDetail,
  TerminalView,
  TransactionView,
} from '../api/types.js';
import { type HostRules, MAX_ROWS, panel, withRows } from './model.js';

/** Reads everything anew: when the page opens, and whenever the stream of events begins again. */
export async function readAll(): Promise<void> {
  const [terminals, cards, network] = await Promise.all([
    call<readonly TerminalView[]>('GET', '/terminals'),
    call<readonly CardView[]>('GET', '/cards'),
    readNetwork(),
  ]);
  panel.change(({ network: _, ...now }) => ({
    ...now,
    terminals,
    cards,
    ...(network && { network }),
    hand: now.hand || (cards[0]?.name ?? ''),
    looked: chosenOf(terminals, now.place.terminal, now.looked),
    // Numbers begin at 1 again where the simulator was started anew.
    frames: [],
    apdus: [],
    transactions: [],
    sales: [],
    isRead: false,
  }));
  await Promise.all([
    readLooked(),
    readHand(),
    readList('recordings'),
    readList('scenarios'),
    readList('receipts'),
    readRules(),
  ]);
}

/** The terminal of the address, or the one before, or the first. */
function chosenOf(terminals: readonly TerminalView[], ...wanted: readonly string[]): string {
  const known = wanted.find((id) => terminals.some((terminal) => terminal.id === id));
  return known ?? terminals[0]?.id ?? '';
}

/** Reads what passed at the terminal that is looked at. */
export async function readLooked(): Promise<void> {
  const { looked } = panel.value;
  if (looked === '') return;
  const [frames, apdus, transactions, sales, detail] = await Promise.all([
    call<readonly FrameView[]>('GET', terminalPath(looked, 'frames')),
    call<readonly ApduView[]>('GET', terminalPath(looked, 'apdus')),
    call<readonly TransactionView[]>('GET', terminalPath(looked, 'kernel')),
    call<readonly SaleView[]>('GET', terminalPath(looked, 'sales')),
    call<TerminalDetail>('GET', `/terminals/${encodeURIComponent(looked)}`),
  ]);
  panel.change((now) =>
    now.looked === looked
      ? {
          ...now,
          // Rows that came while the answers were under way stay.
          frames: withRows(frames.slice(-MAX_ROWS), now.frames),
          apdus: withRows(apdus.slice(-MAX_ROWS), now.apdus),
          transactions,
          sales,
          isRead: true,
          detail,
        }
      : now,
  );
}

/** Reads keys, counters and kernel decisions of the terminal that is looked at, and the state of the card in hand. */
export async function readStates(): Promise<void> {
  const { looked } = panel.value;
  if (looked === '') return;
  const [transactions, sales, detail] = await Promise.all([
    call<readonly TransactionView[]>('GET', terminalPath(looked, 'kernel')),
    call<readonly SaleView[]>('GET', terminalPath(looked, 'sales')),
    call<TerminalDetail>('GET', `/terminals/${encodeURIComponent(looked)}`),
    readHand(),
  ]);
  panel.change((now) => (now.looked === looked ? { ...now, transactions, sales, detail } : now));
}

/** Reads the state of the card in hand. */
export async function readHand(): Promise<void> {
  const { hand } = panel.value;
  if (hand === '') return;
  const handState = await call<CardDetail>('GET', `/cards/${encodeURIComponent(hand)}`);
  panel.change((now) => (now.hand === hand ? { ...now, handState } : now));
}

interface Lists {
  readonly recordings: readonly RecordingView[];
  readonly scenarios: readonly Scenario[];
  readonly receipts: readonly ReceiptView[];
}

/** Reads one of the lists. */
export async function readList(list: keyof Lists): Promise<void> {
  const rows = await call<Lists[typeof list]>('GET', `/${list}`);
  panel.change((now) => ({ ...now, [list]: rows }));
}

/** Reads the rules of the acquirer host; it need not run. */
export async function readRules(): Promise<void> {
  const host = await call<HostView>('GET', '/host');
  const hostRules: HostRules = host.running
    ? { kind: 'rules', rules: host.rules }
    : { kind: 'absent', reason: host.reason };
  panel.change((now) => ({ ...now, hostRules }));
}

/** Reads the network between agent and gateway. */
export async function takeNetwork(): Promise<void> {
  const network = await readNetwork();
  if (network) panel.change((now) => ({ ...now, network }));
}

async function readNetwork(): Promise<NetworkState | undefined> {
  try {
    return await call<NetworkState>('GET', '/network');
  } catch (error) {
    if (error instanceof RefusedError && error.code === 'no-proxy') return undefined;
    throw error;
  }
}
