import type { JournalRow } from '@tillbridge/agent/journal/journal.js';
import type { RareSituation } from './rare-situations.js';

/** What the rows of one sale contain so far, as far as rare situations need it. */
interface SaleRows {
  requestId?: string;
  answered?: boolean;
  approved?: boolean;
  deferred?: boolean;
  /** The card declined without an answer. */
  refusedOffline?: boolean;
}

/** Finds rare situations in the rows that the journals of a simulation have taken. */
export class JournalSituations {
  readonly #saw: (situation: RareSituation) => void;
  /** Whether a message has left its store. */
  readonly #hasLeft: (messageId: string) => boolean;
  readonly #sales = new Map<string, SaleRows>();
  /** Message ids of offline records that wait, by store. */
  readonly #waiting = new Map<string, Set<string>>();
  readonly #precedingReversals = new Set<string>();
  /** Message ids of reversals of what a card had refused without an answer. */
  readonly #reversalsAfterRefusal = new Set<string>();
  readonly #sellers = new Set<string>();

  constructor(saw: (situation: RareSituation) => void, hasLeft: (messageId: string) => boolean) {
    this.#saw = saw;
    this.#hasLeft = hasLeft;
  }

  /** Whether offline records wait in the queue of a store. */
  hasOfflineRecords(store: string): boolean {
    return this.#recordsOf(store).size > 0;
  }

  /** Whether a store has approved a sale. */
  hasSold(store: string): boolean {
    return this.#sellers.has(store);
  }

  /** The journal of a store has taken rows. */
  journaled(store: string, rows: readonly JournalRow[]): void {
    for (const row of rows) this.#row(store, row);
  }

  #row(store: string, row: JournalRow): void {
    const { kind, data, reference, messageId = '', statusOf = '' } = row;
    const key = `${store}/${reference}`;
    const sale = this.#sales.get(key) ?? {};
    this.#sales.set(key, sale);
    switch (kind) {
      case 'authorizing':
        sale.requestId = messageId;
        return;
      case 'answered':
        sale.answered = true;
        sale.approved = dispositionOf(row) === 'approved';
        return;
      case 'completed':
        if (data.result === 'declined') this.#declinedByCard(sale);
        return;
      case 'offline-record':
        sale.deferred = data.approval === 'deferred';
        this.#recordsOf(store).add(messageId);
        return;
      case 'too-old':
        this.#saw('offline record expired');
        return;
      case 'reversal':
        if (sale.refusedOffline) this.#reversalsAfterRefusal.add(messageId);
        if (sale.deferred) this.#saw('deferred authorization reversed');
        if (data.reason === 'journal-unavailable') this.#saw('unrecorded approval reversed');
        return;
      case 'preceding-reversal':
        this.#precedingReversals.add(messageId);
        return;
      case 'acknowledged':
        this.#acknowledged(store, statusOf, row);
        return;
      case 'ended':
        if (data.outcome === 'approved') this.#sellers.add(store);
        if (data.reason === 'manually-resolved') this.#saw('parked sale resolved');
    }
  }

  #declinedByCard(sale: SaleRows): void {
    const { approved, answered, requestId = '' } = sale;
    if (approved) this.#saw('AAC after an approval');
    if (approved || answered || !this.#hasLeft(requestId)) return;
    sale.refusedOffline = true;
    this.#saw('AAC after no answer');
  }

  #acknowledged(store: string, messageId: string, row: JournalRow): void {
    const disposition = dispositionOf(row);
    const wasOffline = this.#recordsOf(store).delete(messageId);
    if (wasOffline && disposition === 'declined') this.#saw('offline approval, late decline');
    if (this.#precedingReversals.has(messageId) && disposition === 'reversed')
      this.#saw('preceding reversal undid an approval');
    if (this.#reversalsAfterRefusal.has(messageId) && disposition === 'reversed')
      this.#saw('AAC after a timeout undid an approval');
  }

  #recordsOf(store: string): Set<string> {
    const records = this.#waiting.get(store) ?? new Set();
    this.#waiting.set(store, records);
    return records;
  }
}

/** How the gateway disposed of the message that the row is about. */
function dispositionOf({ data: { answer } }: JournalRow): unknown {
  return typeof answer === 'object' && answer !== null && 'disposition' in answer
    ? answer.disposition
    : undefined;
}
