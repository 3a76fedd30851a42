import { APPROVED } from '@tillbridge/wire/iso8583/exchange/approvals.js';
import { packExchange } from '@tillbridge/wire/iso8583/exchange/exchange-codec.js';
import { answerTo, type ExchangeMessage } from '@tillbridge/wire/iso8583/exchange/exchange-message.js';
import type { ZoneKeyUse } from '@tillbridge/wire/iso8583/exchange/zone-key.js';
import { Iso8583Error } from '@tillbridge/wire/iso8583/iso8583-error.js';
import type { Timer } from '@tillbridge/wire/seams/clock.js';
import type { Change } from '../../../../kernel/store/store.js';
import { keyRequest } from '../keys/key-exchange.js';
import {
  decideExchange,
  type ExchangeEvent,
  type NewNumber,
  reversalMessage,
  type WantedReversal,
} from '../rules/decide-exchange.js';
import { decides, type ExchangePurpose, type ExchangeRecord, stored } from '../rules/exchange-record.js';
import { dueExchanges, isForwarded } from '../rules/forwarding-order.js';
import { isNearDay } from '../rules/host-movements.js';
import type { HostLine } from './host-line.js';
import { LinePool, type LinePoolOptions, type LinkQuestion } from './line-pool.js';
import {
  type AdviceSeal,
  ChangedExchangeError,
  DuplicateExchangeError,
  type LinkJournal,
  NotSentError,
  OutcomeUnknownError,
} from './link-deps.js';
import { keyOf, PendingAnswers } from './pending-answers.js';

/** The link's limits. */
export const LINK_LIMITS = {
  /** Requests that are being sent or wait for their answers at once; no more are begun. */
  requests: 1_000,
  /** Messages whose late answers are recognised without a look into the journal. */
  remembered: 10_000,
  /** Tries to change an exchange that other nodes change too. */
  changes: 8,
  /** Reversals and advices that wait for their answers at once. */
  forwarded: 100,
  /** How often the exchanges of nodes that have ended are taken up, in milliseconds. */
  takeUpMs: 15_000,
  /** How long none is sent after one could not be journaled, in milliseconds. */
  pauseMs: 1_000,
} as const;

/** The number of a reversal that has none yet. */
const NO_NUMBER: NewNumber = { sequence: -1, stan: '', at: '' };

/** Network messages of a host that need nothing but an answer. */
const TAKEN: ReadonlySet<string | undefined> = new Set(['echo', 'cut-over']);

/** What the link is made with. */
export interface HostLinkOptions extends Omit<LinePoolOptions, 'onAnswer' | 'onRequest'> {
  readonly journal: LinkJournal;
  /** Keeps the advices of stand-ins; absent where there are none. */
  readonly advices?: AdviceSeal;
  /** Takes a key that the host brings; gives the values of our answer. */
  readonly takeKey: (message: ExchangeMessage) => Promise<Partial<ExchangeMessage>>;
  /** Called with a new settlement day, `yyyyMMdd`, that the host announces. */
  readonly onCutOver?: (settlementDate: string) => Promise<void>;
}

/** Messages that a host has not answered: how many, and since when the oldest one waits, by the wall clock. */
export interface WaitingMessages {
  readonly count: number;
  readonly sinceMs: number;
}

/** A message to send; the link adds number and time. */
export type LinkRequest = Omit<ExchangeMessage, 'stan' | 'at' | 'rrn' | 'isResponse' | 'isRepeat'>;

/** What the commit of a stand-in adds to its journal record. */
interface StandInCommit {
  readonly owner?: { readonly entityId: string; readonly paymentId: string };
  readonly changes: readonly Change[];
}

/**
 * The link to an acquirer. A request is journaled before its bytes leave. One without an answer is reversed until the host acknowledges it, and the
 * advice of a stand-in is sent until the host answers it, also after a restart; those of a terminal go out in their order, one at a time, those of
 * other payments on their own. Nothing is sent twice as new.
 */
export class HostLink {
  readonly #options: HostLinkOptions;
  readonly #pending: PendingAnswers;
  readonly #pool: LinePool;
  /** References by the keys of their messages, for answers that come late. */
  readonly #references = new Map<string, string>();
  /** Records that are open, in the order in which they began. */
  readonly #open = new Map<string, ExchangeRecord>();
  /** What happens to one exchange happens one after the other. */
  readonly #turns = new Map<string, Promise<unknown>>();
  /** Who waits for the end of a reversal. */
  readonly #reversed = new Map<string, () => void>();
  /** Requests that have begun and have no outcome yet. */
  #requests = 0;
  #isForwarding = false;
  /** Reversals and advices that wait for their answers. */
  #forwarded = 0;
  /** By the monotonic clock. */
  #pausedUntilMs = 0;
  #timer: Timer | undefined;
  #takeUp: Timer | undefined;
  #isClosed = false;

  constructor(options: HostLinkOptions) {
    this.#options = options;
    this.#pending = new PendingAnswers(options.clock);
    this.#pool = new LinePool(
      {
        ...options,
        onAnswer: (answer: ExchangeMessage) => this.#took(answer),
        onRequest: (request: ExchangeMessage) => this.#answerHost(request),
      },
      this.#pending,
    );
  }

  /** Takes up what is left over, now and every {@link LINK_LIMITS.takeUpMs}, until it is closed. */
  async start(): Promise<void> {
    await this.takeUp();
    this.#takeUpLater();
  }

  /** Takes up what an earlier process, or a node that has ended, left open: each request without an answer is reversed. */
  async takeUp(): Promise<void> {
    for (const record of await this.#options.journal.open()) {
      if (this.#open.has(record.reference)) continue;
      this.#remember(record);
      if (isForwarded(record)) this.#open.set(record.reference, record);
      else await this.#unanswered(record.reference);
    }
    this.#forward();
  }

  /**
   * Sends a request and waits for the host's decision.
   * @throws NotSentError nothing left; OutcomeUnknownError it is being reversed, or an advice that may be sent again; DuplicateExchangeError the
   * reference was used; Iso8583Error it cannot be written, and nothing left
   */
  ask(reference: string, request: LinkRequest, purpose?: ExchangePurpose): Promise<ExchangeMessage> {
    return this.#limited(() => this.#ask(reference, request, purpose));
  }

  async #limited<T>(work: () => Promise<T>): Promise<T> {
    if (this.#requests >= LINK_LIMITS.requests)
      throw new NotSentError('too many requests wait for their answers');
    this.#requests += 1;
    try {
      return await work();
    } finally {
      this.#requests -= 1;
    }
  }

  async #ask(
    reference: string,
    request: LinkRequest,
    purpose: ExchangePurpose | undefined,
  ): Promise<ExchangeMessage> {
    const line = await this.#pool.take();
    const { journal, numbers, clock } = this.#options;
    const { sequence, stan, at } = await numbers.next();
    const rrn = retrievalReference(stan, at);
    const message = { ...request, stan, at, rrn, isResponse: false, isRepeat: false };
    const bytes = await line.sealed(message).catch((error: unknown) => {
      if (error instanceof Iso8583Error) this.#options.observer.notWritten(reference, error.message);
      throw error;
    });
    const record: ExchangeRecord = {
      reference,
      sequence,
      request: stored(message),
      ...(purpose && { purpose }),
      state: 'sent',
      lateApprovals: 0,
      createdAtMs: clock.nowMs(),
      version: 1,
    };
    // A node that takes up open exchanges must see that this one runs.
    this.#open.set(reference, record);
    await journal.begin(record).catch((error: unknown) => {
      this.#open.delete(reference);
      throw error;
    });
    this.#remember(record);
    this.#noteDetails(reference, request);
    return this.#sent(reference, line, message, bytes);
  }

  /** Tells the host again of an advice that it did not answer: the same message with the repeat flag. @throws as {@link ask} */
  repeat(record: ExchangeRecord, request: LinkRequest): Promise<ExchangeMessage> {
    return this.#limited(() => this.#repeat(record, request));
  }

  async #repeat(
    { reference, request: known }: ExchangeRecord,
    request: LinkRequest,
  ): Promise<ExchangeMessage> {
    if (!known) throw new DuplicateExchangeError('there is a tombstone');
    const line = await this.#pool.take();
    const { stan, at, rrn } = known;
    const message = {
      ...request,
      stan,
      at,
      ...(rrn !== undefined && { rrn }),
      isResponse: false,
      isRepeat: true,
    };
    const bytes = await line.sealed(message);
    return this.#sent(reference, line, message, bytes);
  }

  /**
   * Journals what the gateway approves by itself; its advice is stored and sent until the host answers. Gives the approval code.
   * @param commit whose payment it is, and what is stored in the same commit
   * @throws DuplicateExchangeError the reference was used; Iso8583Error it cannot be written; CommitConflict a row of the same commit was changed
   */
  async standIn(
    reference: string,
    request: LinkRequest,
    purpose: ExchangePurpose,
    { owner, changes }: StandInCommit,
  ): Promise<string> {
    const { journal, numbers, clock, advices, dialect } = this.#options;
    if (!advices) throw new Error('nothing keeps the advices of stand-ins');
    const { sequence, stan, at } = await numbers.next();
    const approvalCode = stan;
    const rrn = retrievalReference(stan, at);
    const message = { ...request, approvalCode, stan, at, rrn, isResponse: false, isRepeat: false };
    packExchange(dialect, message, true).fill(0);
    const nowMs = clock.nowMs();
    const record: ExchangeRecord = {
      reference,
      sequence,
      request: stored(message),
      purpose,
      state: 'advice-pending',
      standIn: { approvalCode, ...owner, attempts: 0, nextAtMs: nowMs },
      sealed: advices.seal(reference, message),
      lateApprovals: 0,
      createdAtMs: nowMs,
      version: 1,
    };
    await journal.begin(record, changes);
    this.#open.set(reference, record);
    this.#remember(record);
    this.#noteDetails(reference, request);
    this.#forward();
    return approvalCode;
  }

  /** Takes an exchange back, whatever the host decided: journaled on return, and sent until the host acknowledges it. */
  async reverse(reference: string, wanted: WantedReversal): Promise<void> {
    await this.#happens(reference, { kind: 'reverse', wanted, ...this.#moment() });
    this.#forward();
  }

  /**
   * Reverses an exchange again that its host may have carried out after it had acknowledged the reversal; any other one stays as it is.
   * @param how as a repeat, by which a host also tells what the reversal has done meanwhile, or by another reversal, for one that remembers answers
   */
  async reverseAgain(reference: string, how: 'as-repeat' | 'anew'): Promise<void> {
    const { number, nowMs } = this.#moment();
    await this.#happens(reference, { kind: 'doubted', nowMs, ...(how === 'anew' && { number }) });
    this.#forward();
  }

  /** Whether the reversal of an exchange has come to its end, within the time of an answer. */
  async isReversed(reference: string): Promise<boolean> {
    const { clock, answerTimeoutMs } = this.#options;
    await new Promise<void>((resolve) => {
      const over = (): void => {
        timer.cancel();
        this.#reversed.delete(reference);
        resolve();
      };
      const timer = clock.setTimer(answerTimeoutMs, over);
      this.#reversed.set(reference, over);
      if (!this.#open.has(reference)) over();
    });
    return (await this.find(reference))?.state === 'reversed';
  }

  /** Leaves a tombstone: nothing is ever sent under the reference. @throws DuplicateExchangeError something was */
  async leaveTombstone(reference: string): Promise<void> {
    const { journal, clock } = this.#options;
    const createdAtMs = clock.nowMs();
    await journal.begin({ reference, state: 'reversed', lateApprovals: 0, createdAtMs, version: 1 });
  }

  /** The record of an exchange; undefined where there is none. */
  async find(reference: string): Promise<ExchangeRecord | undefined> {
    return this.#open.get(reference) ?? this.#options.journal.find(reference);
  }

  /** The host's answer to what moves no money; undefined when none came in time. @throws NotSentError */
  question(request: LinkQuestion): Promise<ExchangeMessage | undefined> {
    return this.#pool.ask(request);
  }

  /** Advices of this node that the host has not answered yet; undefined where there is none. */
  get waitingAdvices(): WaitingMessages | undefined {
    return this.#waiting('advice-pending', ({ createdAtMs }) => createdAtMs);
  }

  /** Reversals of this node that the host has not acknowledged yet; undefined where there is none. */
  get waitingReversals(): WaitingMessages | undefined {
    return this.#waiting('reversing', ({ reversal, createdAtMs }) =>
      reversal ? (reversal.againSinceMs ?? timeOf(reversal.at)) : createdAtMs,
    );
  }

  /** Asks a host for new keys, one after the other; false where one was not taken. */
  async exchangeKeys(uses: readonly ZoneKeyUse[] = ['mac', 'pin']): Promise<boolean> {
    for (const use of uses) {
      const answer = await this.#pool.ask(keyRequest(use)).catch((error: unknown) => {
        if (error instanceof NotSentError) return undefined;
        throw error;
      });
      if (!answer || (await this.#options.takeKey(answer)).responseCode !== APPROVED) return false;
    }
    return true;
  }

  /** Signs off and ends the lines. What is open stays in the journal. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#timer?.cancel();
    this.#takeUp?.cancel();
    await this.#pool.close();
    await Promise.allSettled(this.#turns.values());
  }

  #waiting(
    of: ExchangeRecord['state'],
    since: (record: ExchangeRecord) => number,
  ): WaitingMessages | undefined {
    let count = 0;
    let sinceMs = Number.POSITIVE_INFINITY;
    for (const record of this.#open.values()) {
      if (record.state !== of) continue;
      count += 1;
      sinceMs = Math.min(sinceMs, since(record));
    }
    return count === 0 ? undefined : { count, sinceMs };
  }

  #noteDetails(reference: string, { detailsLeftOut }: LinkRequest): void {
    if (detailsLeftOut !== undefined)
      this.#options.observer.detailsLeftOut(reference, Number(detailsLeftOut));
  }

  #takeUpLater(): void {
    if (this.#isClosed) return;
    const { clock, observer } = this.#options;
    const round = () =>
      this.takeUp()
        .catch((error) => observer.fault(error))
        .finally(() => this.#takeUpLater());
    this.#takeUp = clock.setTimer(LINK_LIMITS.takeUpMs, () => void round());
  }

  /** When something happens. A number is taken only where it leads to a reversal: they come round after a while. */
  #moment() {
    return { number: NO_NUMBER, nowMs: this.#options.clock.nowMs() };
  }

  /** Sends a request that is journaled, and applies the host's answer. */
  #sent(
    reference: string,
    line: HostLine,
    message: ExchangeMessage,
    bytes: Buffer,
  ): Promise<ExchangeMessage> {
    const decided = new Promise<ExchangeMessage>((resolve, reject) => {
      this.#pending.wait(message, line, this.#options.answerTimeoutMs, (answer) => {
        this.#decided(reference, line, answer).then(resolve, reject);
      });
    });
    // Bytes may have left although the line ended: the missing answer decides.
    line.write(bytes).catch(() => void line.close());
    return decided;
  }

  async #decided(
    reference: string,
    line: HostLine,
    answer: ExchangeMessage | undefined,
  ): Promise<ExchangeMessage> {
    this.#pool.received(line, answer !== undefined);
    if (answer === undefined) {
      await this.#unanswered(reference);
      throw new OutcomeUnknownError('the host gave no answer in time');
    }
    const record = await this.#happens(reference, { kind: 'answered', answer, ...this.#moment() });
    this.#forward();
    if (!decides(answer, record?.request))
      this.#options.observer.bad('an answer that approves something else, or says nothing');
    // It decides nothing, or somebody else had it reversed meanwhile.
    if (record?.state !== 'answered') throw new OutcomeUnknownError('it is being reversed, or told again');
    return answer;
  }

  async #unanswered(reference: string): Promise<void> {
    await this.#happens(reference, { kind: 'unanswered', ...this.#moment() });
    this.#forward();
  }

  /** Carries an event out: the change is journaled before the caller gets the result. */
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
      try {
        const { journal, clock } = this.#options;
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
    return decideExchange(record, { ...event, number: await this.#options.numbers.next() });
  }

  #keep(next: ExchangeRecord, before: ExchangeRecord): ExchangeRecord {
    const { reference, state } = next;
    if (state === 'sent' || isForwarded(next)) this.#open.set(reference, next);
    else this.#open.delete(reference);
    this.#remember(next);
    if (state === 'reversed') this.#reversed.get(reference)?.();
    if (next.lateApprovals > before.lateApprovals) this.#options.observer.lateApproval(reference);
    return next;
  }

  /** Requests of the host: it may send a key, announce a new settlement day, or test the line. */
  async #answerHost(request: ExchangeMessage): Promise<ExchangeMessage> {
    if (request.kind === 'network' && request.network === 'key-exchange')
      return answerTo(request, await this.#options.takeKey(request));
    const isTaken = request.kind === 'network' && TAKEN.has(request.network);
    if (!isTaken) this.#options.observer.bad('a request that nobody carries out');
    const { onCutOver, observer } = this.#options;
    const { settlementDate } = this.#nearDays(request);
    if (isTaken && settlementDate !== undefined)
      void onCutOver?.(settlementDate).catch((error) => observer.fault(error));
    return answerTo(request, { responseCode: isTaken ? '00' : '12' });
  }

  #took(received: ExchangeMessage): void {
    const answer = this.#nearDays(received);
    if (this.#pending.take(answer)) return;
    void this.#late(answer).catch((error) => this.#options.observer.fault(error));
  }

  /** The message without a settlement day that cannot be one. */
  #nearDays(message: ExchangeMessage): ExchangeMessage {
    const { settlementDate, ...others } = message;
    const { clock, observer } = this.#options;
    if (settlementDate === undefined || isNearDay(settlementDate, clock.nowMs())) return message;
    observer.bad('a settlement day that is far away');
    return others;
  }

  /** An answer that came after its wait ended. */
  async #late(answer: ExchangeMessage): Promise<void> {
    const reference = this.#references.get(keyOf(answer)) ?? (await this.#journaled(answer))?.reference;
    if (reference === undefined) return this.#options.observer.bad('an answer to nothing');
    const event: ExchangeEvent =
      answer.kind === 'reversal'
        ? { kind: 'reversal-answered', answer }
        : { kind: 'answered', answer, ...this.#moment() };
    await this.#happens(reference, event);
    this.#forward();
  }

  /** The exchange of an answer that an earlier process, or another node, requested. */
  async #journaled(answer: ExchangeMessage): Promise<ExchangeRecord | undefined> {
    const record = await this.#options.journal.findMessage(answer);
    return record?.request && keyOf(record.request) === keyOf(answer) ? record : undefined;
  }

  #remember({ reference, request, reversal }: ExchangeRecord): void {
    if (!request) return;
    const messages = reversal ? [request, { ...request, ...reversal, kind: 'reversal' as const }] : [request];
    for (const message of messages) {
      // Those of an exchange that is open are remembered anew each time it is sent.
      this.#references.delete(keyOf(message));
      this.#references.set(keyOf(message), reference);
    }
    for (const oldest of this.#references.keys()) {
      if (this.#references.size <= LINK_LIMITS.remembered) break;
      this.#references.delete(oldest);
    }
  }

  /** Sends the reversals and advices that are due; sets the timer for the next. */
  #forward(): void {
    if (this.#isClosed || this.#isForwarding) return;
    const { clock, observer } = this.#options;
    const nowMs = clock.nowMs();
    const { due, nextAtMs } = dueExchanges(this.#open.values(), {
      nowMs,
      // While no host can be reached, or nothing can be journaled, nothing is due.
      notBeforeMs: nowMs + Math.max(this.#pool.brokenForMs, this.#pausedUntilMs - clock.monotonicMs(), 0),
      most: LINK_LIMITS.forwarded - this.#forwarded,
    });
    this.#timer?.cancel();
    if (due.length > 0) {
      this.#isForwarding = true;
      void this.#sendDue(due)
        .catch((error) => {
          this.#pausedUntilMs = clock.monotonicMs() + LINK_LIMITS.pauseMs;
          observer.fault(error);
        })
        .finally(() => {
          this.#isForwarding = false;
          this.#forward();
        });
    } else if (nextAtMs !== undefined) {
      this.#timer = clock.setTimer(nextAtMs - nowMs, () => this.#forward());
    }
  }

  async #sendDue(due: readonly ExchangeRecord[]): Promise<void> {
    for (const { reference } of due) {
      const line = await this.#pool.take().catch(() => undefined);
      if (!line) return;
      await this.#sendOnce(reference, line);
    }
  }

  async #sendOnce(reference: string, line: HostLine): Promise<void> {
    const { clock, observer, answerTimeoutMs } = this.#options;
    const record = this.#open.get(reference);
    if (!record || !isForwarded(record)) return;
    // That it was sent is journaled first: a repeat without its flag would be a second reversal, or a second advice.
    const kind = record.state === 'advice-pending' ? 'advice-sent' : 'reversal-sent';
    const journaled = await this.#happens(reference, { kind, nowMs: clock.nowMs() });
    // Another node may have sent it before, or have received the answer.
    const message = journaled && (await this.#messageOf(journaled).catch((error) => observer.fault(error)));
    if (!message || this.#open.get(reference)?.state !== record.state) return;
    const bytes = await line.sealed(message);
    this.#forwarded += 1;
    this.#pending.wait(message, line, answerTimeoutMs, (answer) => {
      void this.#acknowledged(reference, line, message.isRepeat, answer)
        .catch((error) => observer.fault(error))
        .finally(() => {
          this.#forwarded -= 1;
          this.#forward();
        });
    });
    line.write(bytes).catch(() => void line.close());
  }

  async #messageOf(record: ExchangeRecord): Promise<ExchangeMessage | undefined> {
    const { reference, sealed, standIn } = record;
    if (record.state !== 'advice-pending' || !sealed) return reversalMessage(record);
    const advice = await this.#options.advices?.open(reference, sealed);
    return advice && { ...advice, isRepeat: standIn !== undefined && standIn.attempts > 1 };
  }

  /** Carries out the host's answer to a reversal or an advice; one without an answer is sent again when it is due. */
  async #acknowledged(
    reference: string,
    line: HostLine,
    isRepeat: boolean,
    answer: ExchangeMessage | undefined,
  ): Promise<void> {
    // What a host never answers, however often it is repeated, is no sign that it answers nothing.
    if (answer || !isRepeat) this.#pool.received(line, answer !== undefined);
    if (!answer) return;
    await this.#happens(
      reference,
      answer.kind === 'reversal'
        ? { kind: 'reversal-answered', answer }
        : { kind: 'answered', answer, ...this.#moment() },
    );
  }
}

/** Milliseconds of a time `yyyyMMddHHmmss` in UTC. */
function timeOf(at: string): number {
  return Date.parse(at.replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/, '$1-$2-$3T$4:$5:$6Z'));
}

/** Day of the year of a time `yyyyMMddHHmmss`, from 1 on. */
function dayOfYear(at: string): number {
  const [year, month, day] = [at.slice(0, 4), at.slice(4, 6), at.slice(6, 8)].map(Number);
  return (Date.UTC(year ?? 0, (month ?? 1) - 1, day) - Date.UTC(year ?? 0, 0, 0)) / 86_400_000;
}

/** Retrieval reference number: last digit of the year, day of the year, hour, trace number. */
function retrievalReference(stan: string, at: string): string {
  return `${at[3]}${String(dayOfYear(at)).padStart(3, '0')}${at.slice(8, 10)}${stan}`;
}
