import { FIRST_ROW, type JournalRow } from '@tillbridge/agent/journal/journal.js';
import type { SaleAnswer, SaleOutcome, SaleType } from '@tillbridge/agent/sale/machine/state/answer.js';
import type { TillEvent } from '@tillbridge/agent/sale/service/sale-service.js';
import type { Trace } from '../kernel/trace.js';
import { wrongReceipt } from './receipt-check.js';

/** The request of a till, as it remembers it. */
export interface TillRequest {
  readonly store: string;
  readonly agentId: string;
  readonly reference: string;
  readonly type: SaleType;
  readonly minor: number;
  readonly terminalId: string;
  /** Absent: the store itself. */
  readonly till?: string;
  readonly originalReference?: string;
}

/** What a till was shown of one sale, apart from everything the system keeps. */
export interface SaleRecord {
  readonly request: TillRequest;
  /** The last answer that was shown. */
  last: SaleAnswer | undefined;
  /** The last outcome that was reported; `undefined` before. */
  ended: SaleOutcome | undefined;
  /** It was once shown as approved. */
  approvedOnce: boolean;
  reversalRequested: boolean;
  /** Sum of the captures that the till may request, minor units. */
  captureRequestedMinor: number;
  /** The cashier called the issuer after a referral, and entered a code. */
  codeEntered: boolean;
  /** The till received a late decline. */
  lateDeclineReported: boolean;
}

/** A message that a store's journal put into a stream. */
interface StreamMessage {
  readonly store: string;
  readonly agentId: string;
  readonly messageId: string;
  readonly terminalId: string;
  readonly sequence: number;
  readonly kind: string;
  readonly reference: string;
}

/** Records outside of the system requests of tills and their answers, and collects the broken promises. */
export class Recorder {
  readonly sales = new Map<string, SaleRecord>();
  readonly streams = new Map<string, StreamMessage>();
  /** Pairs of references of one store: the second was sold with the card data of the first. */
  readonly replays: (readonly [store: string, original: string, replay: string])[] = [];
  readonly breaches: string[] = [];
  /** Resolves when the first promise is broken. */
  readonly broken: Promise<void>;
  #noteBroken: () => void = () => undefined;
  /** References by the row that accepted them, which is what terminals call a sale's number. */
  readonly #accepted = new Map<string, string>();
  readonly #trace: Trace;

  constructor(trace: Trace) {
    this.#trace = trace;
    this.broken = new Promise((resolve) => {
      this.#noteBroken = resolve;
    });
  }

  /** A promise was broken. */
  breach(promise: string, detail: string): void {
    this.#trace.add('BREACH', `${promise}: ${detail}`);
    this.breaches.push(`${promise}: ${detail}`);
    this.#noteBroken();
  }

  /** A till is about to request a sale. */
  requested(request: TillRequest): SaleRecord {
    const key = saleKey(request.store, request.reference);
    const record = this.sales.get(key) ?? {
      request,
      last: undefined,
      ended: undefined,
      approvedOnce: false,
      reversalRequested: false,
      captureRequestedMinor: 0,
      codeEntered: false,
      lateDeclineReported: false,
    };
    this.sales.set(key, record);
    return record;
  }

  /** A till of the store saw an answer. */
  shown(store: string, answer: SaleAnswer): void {
    const record = this.sales.get(saleKey(store, answer.reference));
    if (!record) {
      this.breach('P2', `${store} shows a sale that no till requested: ${answer.reference}`);
      return;
    }
    const { request } = record;
    const amount = (request.minor / 100).toFixed(2);
    if (answer.type !== request.type || answer.amount !== amount) {
      const is = `${answer.type} ${answer.amount}`;
      this.breach(
        'P2',
        `${answer.reference} was requested as ${request.type} ${amount} and is shown as ${is}`,
      );
    }
    record.last = answer;
    if (answer.outcome === null || answer.state !== 'done') return;
    const wrong = wrongReceipt(answer);
    if (wrong !== undefined) this.breach('P1', `${answer.reference}: ${wrong}`);
    this.#ended(record, answer, answer.outcome);
  }

  /** A till of the store received an event. */
  received(store: string, event: TillEvent): void {
    if (event.type !== 'sale' && event.type !== 'declined-later' && event.type !== 'expired') return;
    const record = this.sales.get(saleKey(store, event.sale.reference));
    if (record && event.type !== 'sale') record.lateDeclineReported = true;
    this.shown(store, event.sale);
  }

  /** A store's journal has taken rows. */
  journaled(store: string, agentId: string, rows: readonly JournalRow[]): void {
    for (const { row, messageId, sequence, terminalId, kind, reference } of rows) {
      if (kind === FIRST_ROW) this.#accepted.set(`${store}/${row}`, reference);
      if (sequence === 0 || messageId === undefined) continue;
      const message = { store, agentId, messageId, terminalId, sequence, kind, reference };
      this.streams.set(messageId, message);
    }
  }

  /** A terminal of the store gave the words of a card to two sales, named by their numbers. */
  replayed(store: string, replay: number, original: number): void {
    const [first, second] = [original, replay].map((row) => this.#accepted.get(`${store}/${row}`));
    if (first === undefined || second === undefined) return;
    this.#trace.add(store, `${second} replays the card of ${first}`);
    this.replays.push([store, first, second]);
  }

  #ended(record: SaleRecord, answer: SaleAnswer, outcome: SaleOutcome): void {
    const before = record.ended;
    if (before !== outcome) this.#trace.add(record.request.store, `${answer.reference} ${describe(answer)}`);
    record.ended = outcome;
    if (outcome === 'approved') {
      record.approvedOnce = true;
      if (before !== undefined && before !== 'approved' && !record.codeEntered)
        this.breach('P1', `${answer.reference} was reported as ${before} and is approved all the same`);
    } else if (before === 'approved' && !mayFall(record, answer, outcome)) {
      this.breach('P1', `${answer.reference} was approved and is ${outcome}: ${answer.cashierText}`);
    }
  }
}

/** How a till knows a sale: references are unique per store. */
export function saleKey(store: string, reference: string): string {
  return `${store}/${reference}`;
}

/** An answer in a few words, without card data. */
export function describe({ outcome, state, mode, emv, cashierText }: SaleAnswer): string {
  const card = emv?.arc ?? emv?.acType ?? '';
  return [state, outcome, mode, card, `"${cashierText}"`].filter(Boolean).join(' ');
}

/** An approval may only be taken back by the till itself, or as a late decline without an authorization of the gateway. */
function mayFall(record: SaleRecord, answer: SaleAnswer, outcome: SaleOutcome): boolean {
  if (outcome === 'reversed') return record.reversalRequested;
  const isUnauthorized =
    answer.mode === 'offline-card' || answer.mode === 'offline-deferred' || record.codeEntered;
  return isUnauthorized && (outcome === 'declined' || outcome === 'expired');
}
