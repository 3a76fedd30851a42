import { LONGEST_PAUSE_MS } from './decide-exchange.js';
import type { ExchangeRecord } from './exchange-record.js';

/** Entry modes of payments that no terminal takes. */
const WITHOUT_TERMINAL: ReadonlySet<string | undefined> = new Set(['e-commerce', 'stored']);

/** The exchanges whose reversals or advices are sent next, and when the one after them is due. */
interface DueExchanges {
  readonly due: readonly ExchangeRecord[];
  /** By the wall clock; undefined: none waits for its time. */
  readonly nextAtMs: number | undefined;
}

/** Whether something of it is sent from time to time until the host has answered: its reversal, or the advice of a stand-in. */
export function isForwarded({ state }: Pick<ExchangeRecord, 'state'>): boolean {
  return state === 'reversing' || state === 'advice-pending';
}

/**
 * What keeps its reversals, or its advices, in their order: a terminal of a merchant, which forwards what it has stored in the order in which it
 * happened; merchants give their terminals what numbers they like. Payments
 * without one share the number of a terminal and nothing else: each payment has its own order. Advices hold up no reversal.
 */
export function orderOf({ state, request, purpose, reference }: ExchangeRecord): string {
  const { terminalId, merchantId = '', entryMode } = request ?? {};
  return terminalId === undefined || WITHOUT_TERMINAL.has(entryMode)
    ? `${state} payment ${purpose?.originalReference ?? reference}`
    : `${state} terminal ${merchantId} ${terminalId}`;
}

/**
 * The exchanges that are due (pure): the first of each order, those that were sent least often before others, so that what a host never acknowledges
 * holds up nothing else.
 * @param open what is open, in the order in which it began
 * @param notBeforeMs until when nothing is sent, by the wall clock
 * @param most how many at once
 */
export function dueExchanges(
  open: Iterable<ExchangeRecord>,
  {
    nowMs,
    notBeforeMs,
    most,
  }: { readonly nowMs: number; readonly notBeforeMs: number; readonly most: number },
): DueExchanges {
  const heads = new Map<string, ExchangeRecord>();
  for (const record of open) {
    if (!isForwarded(record)) continue;
    const order = orderOf(record);
    if (!heads.has(order)) heads.set(order, record);
  }
  const due: ExchangeRecord[] = [];
  let nextAtMs: number | undefined;
  for (const record of heads.values()) {
    const wantedMs = progressOf(record)?.nextAtMs ?? 0;
    // A time beyond every pause is of a clock that was set back since.
    const atMs = Math.max(wantedMs - nowMs > LONGEST_PAUSE_MS ? 0 : wantedMs, notBeforeMs);
    if (atMs <= nowMs) due.push(record);
    else nextAtMs = Math.min(nextAtMs ?? atMs, atMs);
  }
  due.sort((a, b) => attemptsOf(a) - attemptsOf(b));
  return { due: due.slice(0, most), nextAtMs };
}

function attemptsOf(record: ExchangeRecord): number {
  return progressOf(record)?.attempts ?? 0;
}

function progressOf({ reversal, standIn }: ExchangeRecord) {
  return reversal ?? standIn;
}
