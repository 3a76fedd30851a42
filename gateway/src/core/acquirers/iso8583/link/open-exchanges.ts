import type { Dialect } from '@tillbridge/wire/iso8583/dialects/dialects.js';
import type { ExchangeMessage } from '@tillbridge/wire/iso8583/exchange/exchange-message.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { decideExchange, type ExchangeEvent, heldAgain, type NewNumber } from '../rules/decide-exchange.js';
import type { ExchangeRecord } from '../rules/exchange-record.js';
import { isForwarded } from '../rules/forwarding-order.js';
import { ChangedExchangeError, type LinkJournal, type LinkObserver, type NumberSource } from './link-deps.js';
import { LINK_LIMITS } from './link-limits.js';
import { keyOf } from './pending-answers.js';

/** The number of a reversal that has none yet. */
const NO_NUMBER: NewNumber = { sequence: -1, stan: '', at: '' };

/** Messages that a host has not answered: how many, and since when the oldest one waits, by the wall clock. */
export interface WaitingMessages {
  readonly count: number;
  readonly sinceMs: number;
}

/** A message of an exchange: the exchange's reference, and the time that the message has. */
interface AnsweredMessage {
  readonly reference: string;
  readonly at: string;
}

/** What {@link OpenExchanges} works with. */
interface OpenExchangesDeps {
  readonly journal: LinkJournal;
  readonly numbers: NumberSource;
  readonly clock: Clock;
  readonly dialect: Pick<Dialect, 'matchedBy'>;
  readonly observer: Pick<LinkObserver, 'lateApproval'>;
}

/** The exchanges of a link that have no end yet: the events of each are carried out one by one, and journaled. */
export class OpenExchanges {
  readonly #deps: OpenExchangesDeps;
  /** Records that are open, in the order in which they began. */
  readonly #open = new Map<string, ExchangeRecord>();
  /** Messages by their keys, for answers that come late. */
  readonly #messages = new Map<string, AnsweredMessage>();
  /** The last event of each exchange that is being carried out. */
  readonly #turns = new Map<string, Promise<unknown>>();
  /** Callers that wait for the end of a reversal. */
  readonly #reversed = new Map<string, () => void>();

  constructor(deps: OpenExchangesDeps) {
    this.#deps = deps;
  }

  /** Whether the exchange is open here. */
  has(reference: string): boolean {
    return this.#open.has(reference);
  }

  /** The record of an exchange that is open here. */
  get(reference: string): ExchangeRecord | undefined {
    return this.#open.get(reference);
  }

  /** All that are open, in the order in which they began. */
  values(): Iterable<ExchangeRecord> {
    return this.#open.values();
  }

  /** The record of an exchange; undefined where there is none. */
  async find(reference: string): Promise<ExchangeRecord | undefined> {
    return this.#open.get(reference) ?? this.#deps.journal.find(reference);
  }

  /** Adds the record of an exchange that is in the journal. */
  add(record: ExchangeRecord): void {
    this.#open.set(record.reference, record);
    this.remember(record);
  }

  /** Journals a new exchange. @throws as {@link LinkJournal.begin} */
  async begin(record: ExchangeRecord): Promise<void> {
    const { reference } = record;
    // A node that takes up open exchanges must see that this one runs.
    this.#open.set(reference, record);
    await this.#deps.journal.begin(record).catch((error: unknown) => {
      this.#open.delete(reference);
      throw error;
    });
    this.remember(record);
  }

  /** When something happens. A number is taken only where it leads to a reversal: they come round after a while. */
  moment() {
    return { number: NO_NUMBER, nowMs: this.#deps.clock.nowMs() };
  }

  /** Carries out the host's answer to a message of the exchange. */
  answered(reference: string, answer: ExchangeMessage): Promise<ExchangeRecord | undefined> {
    return this.happens(
      reference,
      answer.kind === 'reversal'
        ? { kind: 'reversal-answered', answer }
        : { kind: 'answered', answer, ...this.moment() },
    );
  }

  /** Carries an event out: the change is journaled before the caller gets the result. */
  happens(reference: string, event: ExchangeEvent): Promise<ExchangeRecord | undefined> {
    const before = this.#turns.get(reference) ?? Promise.resolve();
    const turn = before.catch(() => undefined).then(() => this.#carryOut(reference, event));
    this.#turns.set(reference, turn);
    void turn
      .catch(() => undefined)
      .finally(() => {
        if (this.#turns.get(reference) === turn) this.#turns.delete(reference);
      });
    return turn;
  }

  async #carryOut(reference: string, event: ExchangeEvent): Promise<ExchangeRecord | undefined> {
    for (let left: number = LINK_LIMITS.changes; ; left -= 1) {
      const record = await this.find(reference);
      if (!record) return undefined;
      const next = await this.#decide(record, event);
      if (next === record) {
        // The caller sends an advice without a decision again: nothing is due here.
        const isOver = event.kind === 'unanswered' || event.kind === 'answered';
        if (record.state === 'sent' && isOver) this.#open.delete(reference);
        return record;
      }
      const hold = heldAgain(record, next);
      // Before the end of the capture's reversal is journaled: a process that ends in between repeats both.
      if (hold !== undefined) await this.happens(hold, { kind: 'capture-reversed', ...this.moment() });
      try {
        const { journal, clock } = this.#deps;
        return this.#keep(await journal.change(next, clock.nowMs()), record);
      } catch (error) {
        if (!(error instanceof ChangedExchangeError) || left === 0) throw error;
        this.#open.delete(reference);
      }
    }
  }

  async #decide(record: ExchangeRecord, event: ExchangeEvent): Promise<ExchangeRecord> {
    const next = decideExchange(record, event);
    if (!('number' in event) || next.reversal?.stan !== NO_NUMBER.stan) return next;
    return decideExchange(record, { ...event, number: await this.#deps.numbers.next() });
  }

  #keep(next: ExchangeRecord, before: ExchangeRecord): ExchangeRecord {
    const { reference, state } = next;
    if (state === 'sent' || isForwarded(next)) this.#open.set(reference, next);
    else this.#open.delete(reference);
    this.remember(next);
    if (state === 'reversed') this.#reversed.get(reference)?.();
    if (next.lateApprovals > before.lateApprovals) this.#deps.observer.lateApproval(reference);
    return next;
  }

  /** The message that an answer belongs to; undefined where there is none. */
  async messageOf(answer: ExchangeMessage): Promise<AnsweredMessage | undefined> {
    return this.#messages.get(this.#keyOf(answer)) ?? (await this.#journaled(answer));
  }

  /** Waits until the exchange is no longer open, for the time of an answer at the longest. */
  async reversalEnded(reference: string, timeoutMs: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const over = (): void => {
        timer.cancel();
        this.#reversed.delete(reference);
        resolve();
      };
      const timer = this.#deps.clock.setTimer(timeoutMs, over);
      this.#reversed.set(reference, over);
      if (!this.#open.has(reference)) over();
    });
  }

  /** How many exchanges are in a state, and since when the oldest one is; undefined where there is none. */
  waiting(
    state: ExchangeRecord['state'],
    since: (record: ExchangeRecord) => number,
  ): WaitingMessages | undefined {
    let count = 0;
    let sinceMs = Number.POSITIVE_INFINITY;
    for (const record of this.#open.values()) {
      if (record.state !== state) continue;
      count += 1;
      sinceMs = Math.min(sinceMs, since(record));
    }
    return count === 0 ? undefined : { count, sinceMs };
  }

  /** Waits for the events that are being carried out. */
  async changed(): Promise<void> {
    await Promise.allSettled(this.#turns.values());
  }

  /** The exchange of an answer to a request of an earlier process or another node. */
  async #journaled(answer: ExchangeMessage): Promise<AnsweredMessage | undefined> {
    const record = await this.#deps.journal.findMessage(answer);
    if (!record?.request || this.#keyOf(record.request) !== this.#keyOf(answer)) return undefined;
    return { reference: record.reference, at: record.request.at };
  }

  #keyOf(message: Parameters<typeof keyOf>[0]): string {
    return keyOf(message, this.#deps.dialect.matchedBy);
  }

  /** Recognises late answers to the messages of an exchange. */
  remember({ reference, request, reversal }: ExchangeRecord): void {
    if (!request) return;
    const messages = reversal ? [request, { ...request, ...reversal, kind: 'reversal' as const }] : [request];
    for (const message of messages) {
      const key = this.#keyOf(message);
      // Those of an exchange that is open are remembered anew each time it is sent.
      this.#messages.delete(key);
      this.#messages.set(key, { reference, at: message.at });
    }
    for (const oldest of this.#messages.keys()) {
      if (this.#messages.size <= LINK_LIMITS.remembered) break;
      this.#messages.delete(oldest);
    }
  }
}
