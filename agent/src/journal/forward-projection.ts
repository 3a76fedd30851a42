import type { StreamKind, StreamPosition } from '@tillbridge/wire/bridge/messages.js';
import type { Exposure, QueueItem, UnconfirmedRecord } from './forward-queue.js';
import { CLOSING_ROWS, type JournalRow, type OpenMessage, PARKED_ROW } from './journal.js';

const KINDS: Readonly<Record<string, StreamKind>> = {
  reversal: 'reversal',
  'preceding-reversal': 'reversal',
  'cancel-if-unseen': 'cancelIfUnseen',
  'offline-record': 'offlineRecord',
  capture: 'capture',
  'voice-authorization': 'voiceAuthorization',
};

/** The kinds of rows that bring a message of a stream into being. */
export const STREAM_ROWS: readonly string[] = Object.keys(KINDS);

/** The forward queue by the journal's rows, kept up to date row by row. Holds nothing that is not in a row. */
export class ForwardProjection {
  readonly #items = new Map<string, QueueItem>();
  /** Card fingerprints of offline records. */
  readonly #fingerprints = new Map<string, string>();
  readonly #nextSequences = new Map<string, number>();
  /** Messages whose status changed while a read of the journal is under way: what it found of them is out of date. */
  #changedMeanwhile = new Set<string>();

  /** Takes in what the journal holds; rows committed while `read` is under way are not lost. */
  async load(
    read: () => Promise<{
      readonly open: readonly OpenMessage[];
      readonly nextSequences: ReadonlyMap<string, number>;
    }>,
  ): Promise<void> {
    this.#changedMeanwhile = new Set();
    const before = [...this.#items.keys()];
    const { open, nextSequences } = await read();
    // The disk may hold an acknowledgement that it reported as not written: what is closed there is closed.
    const stillOpen = new Set(open.map(({ row }) => row.messageId));
    for (const messageId of before) if (!stillOpen.has(messageId)) this.#forget(messageId);
    for (const { row, parked } of open) {
      if (row.messageId === undefined || this.#changedMeanwhile.has(row.messageId)) continue;
      this.apply(row);
      if (parked) this.apply(parked);
    }
    for (const [terminalId, next] of nextSequences) this.#atLeast(terminalId, next);
  }

  /** Takes one committed row into account; returns whether it added a message. */
  apply(row: JournalRow): boolean {
    if (row.statusOf !== undefined) {
      this.#takeStatus(row.statusOf, row);
      return false;
    }
    const kind = KINDS[row.kind];
    if (row.sequence === 0 || row.messageId === undefined || kind === undefined) return false;
    const { messageId, reference, terminalId, sequence, atMs } = row;
    const amount = amountOf(row);
    const item = { messageId, reference, terminalId, sequence, kind, atMs, state: 'waiting' as const };
    this.#items.set(messageId, { ...item, ...(amount && { amount }), ...approvalOf(row) });
    if (typeof row.data.fingerprint === 'string') this.#fingerprints.set(messageId, row.data.fingerprint);
    this.#atLeast(terminalId, sequence + 1);
    return true;
  }

  get(messageId: string): QueueItem | undefined {
    return this.#items.get(messageId);
  }

  /** The waiting message of the terminal with the lowest sequence above the given one. */
  next(terminalId: string, afterSequence: number): QueueItem | undefined {
    return this.#waiting().find((item) => item.terminalId === terminalId && item.sequence > afterSequence);
  }

  terminals(): string[] {
    return [...new Set(this.#waiting().map((item) => item.terminalId))];
  }

  positions(): StreamPosition[] {
    return [...this.#nextSequences].map(([terminalId, nextSequence]) => ({
      terminalId,
      nextSequence: this.next(terminalId, 0)?.sequence ?? nextSequence,
    }));
  }

  depth(): number {
    return this.#waiting().length;
  }

  parkedCount(): number {
    return this.#items.size - this.depth();
  }

  oldestAtMs(): number | undefined {
    const waiting = this.#waiting();
    return waiting.length === 0 ? undefined : Math.min(...waiting.map((item) => item.atMs));
  }

  /** Offline records that wait or are parked. */
  unconfirmed(): UnconfirmedRecord[] {
    return this.items().flatMap((item) => {
      if (item.kind !== 'offlineRecord') return [];
      const fingerprint = this.#fingerprints.get(item.messageId);
      return [fingerprint === undefined ? { item } : { item, fingerprint }];
    });
  }

  /** Waiting and parked offline records, by terminal and currency. */
  exposure(): Exposure[] {
    const sums = new Map<string, Exposure>();
    for (const { item } of this.unconfirmed()) {
      const { terminalId, amount } = item;
      if (!amount) continue;
      const key = `${terminalId} ${amount.currency}`;
      const { minor, count } = sums.get(key) ?? { minor: 0, count: 0 };
      const { currency } = amount;
      sums.set(key, { terminalId, currency, minor: minor + amount.minor, count: count + 1 });
    }
    return [...sums.values()];
  }

  items(): QueueItem[] {
    return [...this.#items.values()].sort(byTerminalAndSequence);
  }

  #atLeast(terminalId: string, next: number): void {
    this.#nextSequences.set(terminalId, Math.max(next, this.#nextSequences.get(terminalId) ?? 1));
  }

  #waiting(): QueueItem[] {
    return this.items().filter((item) => item.state === 'waiting');
  }

  #forget(messageId: string): void {
    this.#items.delete(messageId);
    this.#fingerprints.delete(messageId);
  }

  #takeStatus(messageId: string, row: JournalRow): void {
    this.#changedMeanwhile.add(messageId);
    if (CLOSING_ROWS.includes(row.kind)) this.#forget(messageId);
    const item = this.#items.get(messageId);
    if (!item || row.kind !== PARKED_ROW) return;
    const reason = typeof row.data.text === 'string' ? row.data.text : 'no reason was given';
    this.#items.set(messageId, { ...item, state: 'parked', reason });
  }
}

function approvalOf({ data }: JournalRow): Pick<QueueItem, 'approval'> {
  const { approval } = data;
  return approval === 'card-approved' || approval === 'deferred' ? { approval } : {};
}

function byTerminalAndSequence(a: QueueItem, b: QueueItem): number {
  if (a.terminalId !== b.terminalId) return a.terminalId < b.terminalId ? -1 : 1;
  return a.sequence - b.sequence;
}

function amountOf({ data }: JournalRow): { minor: number; currency: string } | undefined {
  const { amount } = data;
  if (typeof amount !== 'object' || amount === null || !('minor' in amount)) return undefined;
  return { minor: Number(amount.minor), currency: String(amount.currency) };
}
