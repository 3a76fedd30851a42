import { APPROVED } from '@tillbridge/wire/iso8583/exchange/approvals.js';
import { packExchange } from '@tillbridge/wire/iso8583/exchange/exchange-codec.js';
import type { ExchangeMessage } from '@tillbridge/wire/iso8583/exchange/exchange-message.js';
import type { ZoneKeyUse } from '@tillbridge/wire/iso8583/exchange/zone-key.js';
import { Iso8583Error } from '@tillbridge/wire/iso8583/iso8583-error.js';
import { present } from '@tillbridge/wire/present.js';
import type { Timer } from '@tillbridge/wire/seams/clock.js';
import type { Change } from '../../../../kernel/store/store.js';
import type { Sealed } from '../../../../security/vault/vault.js';
import { keyRequest } from '../keys/key-exchange.js';
import type { WantedReversal } from '../rules/decide-exchange.js';
import { decides, type ExchangePurpose, type ExchangeRecord, stored } from '../rules/exchange-record.js';
import { isForwarded } from '../rules/forwarding-order.js';
import { retrievalReference, utcMsOf } from '../rules/message-times.js';
import { Forwarder } from './forwarder.js';
import type { HostLine } from './host-line.js';
import { HostRequests, type HostRequestsOptions } from './host-requests.js';
import { LinePool, type LinePoolOptions, type LinkQuestion } from './line-pool.js';
import {
  type AdviceSeal,
  type CardLookup,
  DuplicateExchangeError,
  type LinkJournal,
  NotSentError,
  OutcomeUnknownError,
} from './link-deps.js';
import { LINK_LIMITS } from './link-limits.js';
import { OpenExchanges, type WaitingMessages } from './open-exchanges.js';
import { PendingAnswers } from './pending-answers.js';

/** What the link is made with. */
export interface HostLinkOptions
  extends Omit<LinePoolOptions, 'onAnswer' | 'onRequest'>,
    Pick<HostRequestsOptions, 'takeKey' | 'onCutOver'> {
  readonly journal: LinkJournal;
  /** Keeps the advices of stand-ins; absent where there are none. */
  readonly advices?: AdviceSeal;
  /** Reads cards for reversals; absent: they name no card. */
  readonly cardOf?: CardLookup;
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
  readonly #exchanges: OpenExchanges;
  readonly #forwarder: Forwarder;
  readonly #hostRequests: HostRequests;
  /** Requests that have begun and have no outcome yet. */
  #requests = 0;
  #takeUp: Timer | undefined;
  #isClosed = false;

  constructor(options: HostLinkOptions) {
    this.#options = options;
    this.#pending = new PendingAnswers(options.clock, options.dialect);
    this.#hostRequests = new HostRequests(options);
    this.#exchanges = new OpenExchanges(options);
    this.#pool = new LinePool(
      {
        ...options,
        onAnswer: (answer: ExchangeMessage) => this.#took(answer),
        onRequest: (request: ExchangeMessage) => this.#hostRequests.answer(request),
      },
      this.#pending,
    );
    this.#forwarder = new Forwarder(options, {
      exchanges: this.#exchanges,
      pending: this.#pending,
      pool: this.#pool,
    });
  }

  /** Takes up what is left over, now and every {@link LINK_LIMITS.takeUpMs}, until it is closed. */
  async start(): Promise<void> {
    await this.takeUp();
    this.#takeUpLater();
  }

  /** Takes up what an earlier process, or a node that has ended, left open: each request without an answer is reversed. */
  async takeUp(): Promise<void> {
    for (const record of await this.#options.journal.open()) {
      if (this.#exchanges.has(record.reference)) continue;
      if (isForwarded(record)) this.#exchanges.add(record);
      else {
        this.#exchanges.remember(record);
        await this.#unanswered(record.reference);
      }
    }
    this.#forwarder.forward();
  }

  /**
   * Sends a request and waits for the host's decision.
   * @throws NotSentError nothing left; OutcomeUnknownError it is being reversed, or an advice that may be sent again; DuplicateExchangeError the
   * reference was used; Iso8583Error it cannot be written, and nothing left
   */
  ask(reference: string, request: LinkRequest, purpose?: ExchangePurpose): Promise<ExchangeMessage> {
    return this.#limited(() => this.#ask(reference, request, purpose));
  }

  /** Connects and signs on, unless a line is there. @throws NotSentError */
  async connect(): Promise<void> {
    await this.#pool.take();
  }

  /**
   * Sends a trial sale, which belongs to no payment. An approval is journaled with its reversal and reversed at once, also by a later process.
   * @param card its number and expiry, sealed, for the reversal
   * @throws as {@link ask}
   */
  trial(reference: string, request: LinkRequest, card?: Sealed): Promise<ExchangeMessage> {
    const purpose = { operation: 'authorization', captureNow: true, isTrial: true } as const;
    return this.#limited(() => this.#ask(reference, request, purpose, card));
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
    sealed?: Sealed,
  ): Promise<ExchangeMessage> {
    const line = await this.#pool.take();
    const { numbers, clock } = this.#options;
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
      ...present({ purpose, sealed }),
      state: 'sent',
      lateApprovals: 0,
      createdAtMs: clock.nowMs(),
      version: 1,
    };
    await this.#exchanges.begin(record);
    this.#noteDetails(reference, request);
    return this.#sent(reference, line, message, bytes);
  }

  /** Sends an advice again that the host did not answer: the same message with the repeat flag. @throws as {@link ask} */
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
    this.#exchanges.add(record);
    this.#noteDetails(reference, request);
    this.#forwarder.forward();
    return approvalCode;
  }

  /** Takes an exchange back, whatever the host decided: journaled on return, and sent until the host acknowledges it. */
  async reverse(reference: string, wanted: WantedReversal): Promise<void> {
    await this.#exchanges.happens(reference, { kind: 'reverse', wanted, ...this.#exchanges.moment() });
    this.#forwarder.forward();
  }

  /**
   * Reverses an exchange again that its host may have carried out after it had acknowledged the reversal; any other one stays as it is.
   * @param how as a repeat, whose answer also states what the reversal has done meanwhile, or by another reversal, for one that remembers answers
   */
  async reverseAgain(reference: string, how: 'as-repeat' | 'anew'): Promise<void> {
    const { number, nowMs } = this.#exchanges.moment();
    await this.#exchanges.happens(reference, { kind: 'doubted', nowMs, ...(how === 'anew' && { number }) });
    this.#forwarder.forward();
  }

  /** Whether the reversal of an exchange has come to its end, within the time of an answer. */
  async isReversed(reference: string): Promise<boolean> {
    await this.#exchanges.reversalEnded(reference, this.#options.answerTimeoutMs);
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
    return this.#exchanges.find(reference);
  }

  /** The host's answer to what moves no money; undefined when none came in time. @throws NotSentError */
  question(request: LinkQuestion): Promise<ExchangeMessage | undefined> {
    return this.#pool.ask(request);
  }

  /** Advices of this node that the host has not answered yet; undefined where there is none. */
  get waitingAdvices(): WaitingMessages | undefined {
    return this.#exchanges.waiting('advice-pending', ({ createdAtMs }) => createdAtMs);
  }

  /** Reversals of this node that the host has not acknowledged yet; undefined where there is none. */
  get waitingReversals(): WaitingMessages | undefined {
    return this.#exchanges.waiting('reversing', ({ reversal, createdAtMs }) =>
      reversal ? (reversal.againSinceMs ?? utcMsOf(reversal.at)) : createdAtMs,
    );
  }

  /** Requests new keys from a host, one after the other; false where one was not taken. */
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
    this.#forwarder.close();
    this.#takeUp?.cancel();
    await this.#pool.close();
    await this.#exchanges.changed();
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

  /** Sends a request that is journaled, and carries out what the host answers. */
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
    const record = await this.#exchanges.answered(reference, answer);
    this.#forwarder.forward();
    if (!decides(answer, record?.request))
      this.#options.observer.bad('an answer that approves something else, or has no response code');
    // It decides nothing, or another node had it reversed meanwhile.
    const isTrialDecided = record?.purpose?.isTrial && record.answer !== undefined;
    if (record?.state !== 'answered' && !isTrialDecided)
      throw new OutcomeUnknownError('it is being reversed, or sent again');
    return answer;
  }

  async #unanswered(reference: string): Promise<void> {
    await this.#exchanges.happens(reference, { kind: 'unanswered', ...this.#exchanges.moment() });
    this.#forwarder.forward();
  }

  #took(received: ExchangeMessage): void {
    const answer = this.#hostRequests.nearDays(received);
    if (this.#pending.take(answer)) return;
    void this.#late(answer).catch((error) => this.#options.observer.fault(error));
  }

  /** An answer that came after its wait ended. */
  async #late(answer: ExchangeMessage): Promise<void> {
    const message = await this.#exchanges.messageOf(answer);
    if (message === undefined) return this.#options.observer.bad('an answer to nothing');
    await this.#exchanges.answered(message.reference, { ...answer, at: message.at });
    this.#forwarder.forward();
  }
}
