import type { Dialect } from '@tillbridge/protocol/iso8583/dialects/dialects.js';
import type { ExchangeMessage } from '@tillbridge/protocol/iso8583/exchange/exchange-message.js';
import type { Clock, Timer } from '@tillbridge/protocol/seams/clock.js';
import { decideExchange, type ExchangeEvent, reversalMessage } from '../decide/decide-exchange.js';
import { type ExchangeRecord, isApproval, stored } from '../decide/exchange-record.js';
import { HostLine } from './host-line.js';
import {
  type HostConnector,
  type LinkJournal,
  type LinkObserver,
  type MessageSeal,
  NotSentError,
  type NumberSource,
  OutcomeUnknownError,
} from './link-parts.js';

/** Finished exchanges whose late answers are still recognised. */
const MAX_REMEMBERED = 10_000;
/** How long no host is tried after none could be reached, in milliseconds. */
export const CIRCUIT_BREAK_MS = 5_000;

/** What the link is made with. */
export interface HostLinkOptions {
  readonly dialect: Dialect;
  /** The acquirer's hosts: the first that can be reached is used. */
  readonly hosts: readonly HostConnector[];
  readonly journal: LinkJournal;
  readonly numbers: NumberSource;
  readonly seal: MessageSeal;
  readonly clock: Clock;
  readonly observer: LinkObserver;
  /** How long an answer may take, in milliseconds. */
  readonly answerTimeoutMs: number;
}

/** What the link is asked to send: number and time are its own. */
export type LinkRequest = Omit<ExchangeMessage, 'stan' | 'at' | 'isResponse' | 'isRepeat'>;

interface Waiter {
  readonly line: HostLine;
  readonly settle: (answer?: ExchangeMessage) => void;
}

/**
 * The link to an acquirer. A request is journaled before its bytes leave. One without an answer is reversed until the host acknowledges it, also
 * after a restart; reversals of a terminal go out in their order, one at a time. Nothing is sent twice as new.
 */
export class HostLink {
  readonly #options: HostLinkOptions;
  readonly #waiters = new Map<string, Waiter>();
  /** References by the keys of their messages, for answers that come late. */
  readonly #references = new Map<string, string>();
  /** Records that are open, in the order in which they began. */
  readonly #open = new Map<string, ExchangeRecord>();
  /** What happens to one exchange happens one after the other. */
  readonly #turns = new Map<string, Promise<unknown>>();
  #line: Promise<HostLine> | undefined;
  /** The line that is signed on. */
  #active: HostLine | undefined;
  #brokenUntilMs = 0;
  #isForwarding = false;
  #timer: Timer | undefined;
  #isClosed = false;

  constructor(options: HostLinkOptions) {
    this.#options = options;
  }

  /** Takes up what an earlier process left open: each exchange without an answer is reversed. */
  async start(): Promise<void> {
    const { journal } = this.#options;
    for (const record of await journal.open()) {
      this.#remember(record);
      this.#open.set(record.reference, record);
    }
    for (const reference of [...this.#open.keys()]) await this.#unanswered(reference);
    this.#forward();
  }

  /**
   * Sends a request and waits for the host's decision.
   * @throws NotSentError nothing left; OutcomeUnknownError it is being reversed; Iso8583Error it cannot be written, and nothing left
   */
  async ask(reference: string, request: LinkRequest): Promise<ExchangeMessage> {
    const line = await this.#connected();
    const { journal, numbers } = this.#options;
    const message = { ...request, ...(await numbers.next()), isResponse: false, isRepeat: false };
    const record: ExchangeRecord = {
      reference,
      request: stored(message),
      state: 'sent',
      lateApprovals: 0,
    };
    await journal.begin(record);
    this.#remember(record);
    this.#open.set(reference, record);
    const answer = this.#wait(message, line);
    // Bytes may have left although the line ended: the missing answer decides.
    line.send(message).catch(() => void line.close());
    const found = await answer;
    if (found === undefined) {
      await this.#unanswered(reference);
      throw new OutcomeUnknownError('the host gave no answer in time');
    }
    await this.#happens(reference, { kind: 'answered', answer: found, ...(await this.#moment()) });
    return found;
  }

  /** Takes an exchange back, whatever the host decided: journaled on return, and sent until the host acknowledges it. */
  async reverse(reference: string): Promise<void> {
    await this.#happens(reference, { kind: 'reverse', ...(await this.#moment()) });
    this.#forward();
  }

  /** The record of an exchange; undefined where there is none. */
  async find(reference: string): Promise<ExchangeRecord | undefined> {
    return this.#open.get(reference) ?? this.#options.journal.find(reference);
  }

  /** Ends the line. What is open stays in the journal. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#timer?.cancel();
    const line = await this.#line?.catch(() => undefined);
    await line?.close();
    await Promise.allSettled(this.#turns.values());
  }

  async #moment() {
    return { number: await this.#options.numbers.next(), nowMs: this.#options.clock.nowMs() };
  }

  async #unanswered(reference: string): Promise<void> {
    await this.#happens(reference, { kind: 'unanswered', ...(await this.#moment()) });
    this.#forward();
  }

  /** Carries an event out: what it changes is journaled before anybody is told. */
  #happens(reference: string, event: ExchangeEvent): Promise<ExchangeRecord | undefined> {
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
    const record = await this.find(reference);
    if (!record) return undefined;
    const next = decideExchange(record, event);
    if (next === record) return record;
    await this.#options.journal.change(next);
    if (next.state === 'sent' || next.state === 'reversing') this.#open.set(reference, next);
    else this.#open.delete(reference);
    this.#remember(next);
    if (next.lateApprovals > record.lateApprovals) this.#options.observer.lateApproval(reference);
    return next;
  }

  /** The host's answer to a message; undefined when none came in time, or the line ended. */
  #wait(message: ExchangeMessage, line: HostLine): Promise<ExchangeMessage | undefined> {
    const key = keyOf(message);
    const { clock, answerTimeoutMs } = this.#options;
    return new Promise((resolve) => {
      const settle = (answer?: ExchangeMessage) => {
        this.#waiters.delete(key);
        timer.cancel();
        resolve(answer);
      };
      const timer = clock.setTimer(answerTimeoutMs, () => settle());
      this.#waiters.set(key, { line, settle });
    });
  }

  #took(answer: ExchangeMessage): void {
    const key = keyOf(answer);
    const waiter = this.#waiters.get(key);
    const reference = this.#references.get(key);
    const { observer } = this.#options;
    if (waiter) waiter.settle(answer);
    else if (reference === undefined) observer.bad('an answer to nothing');
    else void this.#late(reference, answer).catch((error) => observer.fault(error));
  }

  /** An answer that nobody waits for any more. */
  async #late(reference: string, answer: ExchangeMessage): Promise<void> {
    const event: ExchangeEvent =
      answer.kind === 'reversal'
        ? { kind: 'reversal-answered', answer }
        : { kind: 'answered', answer, ...(await this.#moment()) };
    await this.#happens(reference, event);
    this.#forward();
  }

  #remember({ reference, request, reversal }: ExchangeRecord): void {
    const messages = reversal ? [request, { ...request, ...reversal, kind: 'reversal' as const }] : [request];
    for (const message of messages) {
      // Those of an exchange that is open are remembered anew each time it is sent.
      this.#references.delete(keyOf(message));
      this.#references.set(keyOf(message), reference);
    }
    for (const oldest of this.#references.keys()) {
      if (this.#references.size <= MAX_REMEMBERED) break;
      this.#references.delete(oldest);
    }
  }

  /** Sends the reversals that are due, the first of each terminal; sets the timer for the next. */
  #forward(): void {
    if (this.#isClosed) return;
    const { clock, observer } = this.#options;
    const nowMs = clock.nowMs();
    const first = new Map<string, ExchangeRecord>();
    for (const record of this.#open.values()) {
      const terminal = record.request.terminalId ?? '';
      if (record.state === 'reversing' && !first.has(terminal)) first.set(terminal, record);
    }
    const heads = [...first.values()];
    // While no host can be reached nothing is due.
    const dueAtMs = ({ reversal }: ExchangeRecord) => Math.max(reversal?.nextAtMs ?? 0, this.#brokenUntilMs);
    const due = heads.filter((record) => dueAtMs(record) <= nowMs);
    this.#timer?.cancel();
    if (this.#isForwarding) return;
    if (due.length > 0) {
      this.#isForwarding = true;
      void this.#sendReversals(due)
        .catch((error) => observer.fault(error))
        .finally(() => {
          this.#isForwarding = false;
          this.#forward();
        });
      return;
    }
    if (heads.length === 0) return;
    this.#timer = clock.setTimer(Math.min(...heads.map(dueAtMs)) - nowMs, () => this.#forward());
  }

  async #sendReversals(due: readonly ExchangeRecord[]): Promise<void> {
    const { clock } = this.#options;
    for (const { reference } of due) {
      const line = await this.#connected().catch(() => undefined);
      if (!line) return;
      const record = this.#open.get(reference);
      const message = record && reversalMessage(record);
      if (!message) continue;
      // That it was sent is journaled first: a repeat without its flag would be a second reversal.
      await this.#happens(reference, { kind: 'reversal-sent', nowMs: clock.nowMs() });
      await line.send(message).catch(() => line.close());
    }
  }

  /** The line, signed on. @throws NotSentError */
  #connected(): Promise<HostLine> {
    if (this.#isClosed) return Promise.reject(new NotSentError('the link is closed'));
    if (this.#line) return this.#line;
    if (this.#options.clock.nowMs() < this.#brokenUntilMs)
      return Promise.reject(new NotSentError('no host of the acquirer could be reached a moment ago'));
    const line = this.#connect();
    this.#line = line;
    line.catch(() => {
      this.#brokenUntilMs = this.#options.clock.nowMs() + CIRCUIT_BREAK_MS;
      if (this.#line === line) this.#line = undefined;
    });
    return line;
  }

  async #connect(): Promise<HostLine> {
    for (const connect of this.#options.hosts) {
      const pipe = await connect().catch(() => undefined);
      if (!pipe) continue;
      const line = new HostLine(pipe, { ...this.#options, onAnswer: (answer) => this.#took(answer) });
      line.onEnd(() => this.#ended(line));
      if (await this.#signOn(line)) {
        this.#active = line;
        return line;
      }
      await line.close();
    }
    throw new NotSentError('no host of the acquirer can be reached');
  }

  async #signOn(line: HostLine): Promise<boolean> {
    const message: ExchangeMessage = {
      ...(await this.#options.numbers.next()),
      kind: 'network',
      isAdvice: false,
      isResponse: false,
      isRepeat: false,
      network: 'sign-on',
    };
    const answer = this.#wait(message, line);
    await line.send(message).catch(() => undefined);
    const found = await answer;
    return found !== undefined && isApproval(found);
  }

  /** A line has ended: nobody answers what was sent on it. */
  #ended(line: HostLine): void {
    if (this.#active === line) this.#line = undefined;
    for (const waiter of [...this.#waiters.values()]) if (waiter.line === line) waiter.settle();
  }
}

/** What ties an answer to its message: kind, terminal, number and time. */
function keyOf({
  kind,
  terminalId = '',
  stan,
  at,
}: Pick<ExchangeMessage, 'kind' | 'terminalId' | 'stan' | 'at'>): string {
  return `${kind}/${terminalId}/${stan}/${at}`;
}
