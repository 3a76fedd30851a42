import { formatAmount, type Money } from '@tillbridge/wire/payment/money.js';
import type { DeviceOutcome } from '../drivers/core/driver.js';
import type { ManualOutcome, SaleAnswer } from '../sale/machine/state/answer.js';
import type { ReceiptData } from '../sale/receipts/receipt-data.js';
import {
  type CaptureOptions,
  type CardDetails,
  type ConditionView,
  type QueueView,
  type RefundsView,
  SaleError,
  type SaleRequest,
  type SaleService,
  type SalesPage,
  type SalesQuery,
  type StatusView,
  type TerminalView,
  type TillEvent,
} from '../sale/service/sale-service.js';
import type { DayClose } from '../sale/totals/day-close.js';
import { type TotalsBy, type TotalsGroup, totalsOf } from '../sale/totals/totals.js';

/**
 * A service in memory for tests of what stands in front of the service. One terminal; a sale runs until `finish` is called.
 * It keeps the rules of {@link SaleService} that a till can see: references, busy terminals, durable events.
 */
export class MemorySaleService implements SaleService {
  readonly requests: SaleRequest[] = [];
  readonly captures: (Money & CaptureOptions)[] = [];
  readonly codes: string[] = [];
  readonly resolutions: string[] = [];
  readonly reversals: string[] = [];
  readonly acknowledged: string[] = [];
  /** Durable events, in order. */
  readonly past: TillEvent[] = [];
  readonly terminalId = '10001';
  private readonly kept = new Map<string, { request: SaleRequest; answer: SaleAnswer }>();
  private readonly waiters = new Map<string, ((answer: SaleAnswer) => void)[]>();
  readonly listeners = new Set<(event: TillEvent) => void>();
  private running: string | undefined;

  /** How many listen to events; a server does so itself, for its customer displays. */
  get listenerCount(): number {
    return this.listeners.size;
  }

  async request(request: SaleRequest, options: { readonly wait?: boolean } = {}): Promise<SaleAnswer> {
    if (request.terminalId !== undefined && request.terminalId !== this.terminalId) {
      throw new SaleError('unknown-terminal', `no terminal ${request.terminalId}`);
    }
    const known = this.kept.get(request.reference);
    if (known && JSON.stringify(known.request) !== JSON.stringify(request)) {
      throw new SaleError('reference-conflict', `${request.reference} is known with other parameters`);
    }
    if (!known) this.accept(request);
    const { reference } = request;
    const answer = this.answerOf(reference);
    if (options.wait === false || answer.state === 'done') return answer;
    const end = new Promise<SaleAnswer>((resolve) => {
      this.waiters.set(reference, [...(this.waiters.get(reference) ?? []), resolve]);
    });
    this.tell({ type: 'progress', atMs: 0, reference, terminalId: this.terminalId, step: 'waited-for' });
    return end;
  }

  /** Ends the running sale as approved. */
  finish(reference: string): void {
    this.change(reference, { state: 'done', outcome: 'approved', mode: 'online' });
  }

  async get(reference: string): Promise<SaleAnswer> {
    return this.answerOf(reference);
  }

  async sales(query: SalesQuery, after: number, limit: number): Promise<SalesPage> {
    const { terminalId, till, newestFirst } = query;
    const all = [...this.kept.values()].map(({ answer }) => answer);
    if (newestFirst) all.reverse();
    const found = all.filter(
      (sale) =>
        (terminalId === undefined || sale.terminalId === terminalId) &&
        (till === undefined || sale.till === till),
    );
    const sales = found.slice(after, after + limit);
    return after + limit < found.length ? { sales, next: after + limit } : { sales };
  }

  async refunds(reference: string): Promise<RefundsView> {
    const { amount, currency } = this.answerOf(reference);
    const all = [...this.kept.values()].filter(
      ({ request }) => request.type === 'refund' && request.originalReference === reference,
    );
    const minor = all.reduce((sum, { request }) => sum + request.amount.minor, 0);
    const taken = Math.round(Number(amount) * 100);
    return {
      currency,
      taken: amount,
      refunded: formatAmount({ minor, currency }),
      refundable: formatAmount({ minor: taken - minor, currency }),
      refunds: all.map(({ answer }) => ({
        reference: answer.reference,
        amount: answer.amount,
        state: answer.state,
        outcome: answer.outcome,
      })),
    };
  }

  async receipt(reference: string): Promise<ReceiptData> {
    const { answer, request } = this.kept.get(reference) ?? {};
    if (answer?.outcome !== 'approved' || !request)
      throw new SaleError('not-allowed', `sale ${reference} has no receipt`);
    const { terminalId, type } = answer;
    return {
      type,
      atMs: 0,
      terminalId,
      sequence: 1,
      reference,
      amount: request.amount,
      verdict: ['approved'],
      isLateDecline: false,
      signature: false,
    };
  }

  async cardDetails(): Promise<CardDetails> {
    return {};
  }

  async totals(_query: SalesQuery, by: TotalsBy): Promise<readonly TotalsGroup[]> {
    const approved = [...this.kept.values()].filter(({ answer }) => answer.outcome === 'approved');
    return totalsOf(
      approved.map(({ request, answer }) => ({
        kind: 'approved',
        ...request.amount,
        terminal: answer.terminalId,
        brand: '',
        till: answer.till ?? '',
      })),
      by,
    );
  }

  /** Newest first. */
  private closes: readonly DayClose[] = [];

  async closeDay(reference: string, by?: string): Promise<DayClose> {
    const known = this.closes.find((each) => each.reference === reference);
    if (known) return known;
    const close: DayClose = {
      ...{ number: this.closes.length + 1, reference, ...(by !== undefined && { till: by }) },
      ...{ sinceMs: 0, untilMs: 1_000, fromRow: 1, toRow: this.past.length },
      carriedOver: { waiting: 1, running: 0, unknown: 0, parked: 0 },
      movements: [...this.kept.values()]
        .filter(({ answer }) => answer.outcome === 'approved')
        .map(({ request, answer: { terminalId } }) => ({
          ...request.amount,
          ...{ kind: 'approved', terminal: terminalId, brand: 'VISA', till: '' },
        })),
    };
    this.closes = [close, ...this.closes];
    return close;
  }

  async dayCloses(before: number | undefined, limit: number): Promise<readonly DayClose[]> {
    return this.closes.filter(({ number }) => before === undefined || number < before).slice(0, limit);
  }

  private answerOf(reference: string): SaleAnswer {
    const sale = this.kept.get(reference);
    if (!sale) throw new SaleError('unknown-reference', `no sale ${reference}`);
    return sale.answer;
  }

  async cancel(reference: string): Promise<SaleAnswer> {
    await this.get(reference);
    return this.change(reference, { state: 'done', outcome: 'cancelled' });
  }

  async reverse(reference: string, by = ''): Promise<SaleAnswer> {
    this.reversals.push(`${reference} ${by}`);
    const { outcome } = await this.get(reference);
    if (outcome !== 'approved') throw new SaleError('not-allowed', 'only an approved sale can be reversed');
    return this.change(reference, { outcome: 'reversed' });
  }

  async capture(reference: string, amount: Money, options: CaptureOptions = {}): Promise<SaleAnswer> {
    this.captures.push({ ...amount, ...options });
    return this.get(reference);
  }

  async approveByVoice(reference: string, approvalCode: string): Promise<SaleAnswer> {
    this.codes.push(approvalCode);
    return this.get(reference);
  }

  async resolve(reference: string, outcome: ManualOutcome, note: string, by = ''): Promise<SaleAnswer> {
    this.resolutions.push(`${outcome} ${note} ${by}`.trim());
    return this.get(reference);
  }

  async acknowledge(reference: string, by = 'unnamed'): Promise<SaleAnswer> {
    this.acknowledged.push(`${reference} ${by}`);
    return this.get(reference);
  }

  terminals(): readonly TerminalView[] {
    return [
      {
        id: this.terminalId,
        deviceType: 'PPC930',
        state: this.running ? 'busy' : 'ready',
        ...(this.running && { runningReference: this.running }),
        offline: { ready: false, reasons: ['switched-off'], because: 'offline sales are switched off' },
      },
    ];
  }

  async condition(terminalId: string): Promise<ConditionView> {
    if (terminalId !== this.terminalId) throw new SaleError('unknown-terminal', `no terminal ${terminalId}`);
    if (this.running) return { kind: 'failed', failure: 'terminal-busy', detail: 'a sale runs on it' };
    const identity = { maker: 'Gertec', model: 'PPC930', firmware: '1', serial: 'G1' };
    return { kind: 'condition', identity, keys: { data: 'loaded', pin: 'missing' } };
  }

  async cancelDevice(): Promise<void> {}

  async device(terminalId: string): Promise<DeviceOutcome> {
    if (terminalId !== this.terminalId) throw new SaleError('unknown-terminal', `no terminal ${terminalId}`);
    return { kind: 'unavailable' };
  }

  status(): StatusView {
    return {
      gateway: { state: 'down' },
      journal: { state: 'ready', row: this.past.length, hash: '00' },
      terminals: this.terminals(),
      queue: { depth: 1, parked: 1, lateDeclines: 1 },
      open: this.running ? [{ reference: this.running }] : [],
      policy: { version: 3, values: [{ name: 'ceiling.EUR', value: '50.00', setBy: 'gateway' }] },
      parked: [
        {
          reference: 'r-7',
          terminalId: this.terminalId,
          code: 'restored-in-doubt',
          reason: 'its last rows may be missing',
        },
      ],
    };
  }

  queue(): QueueView {
    const item = { messageId: 'm-1', reference: 'r-1', terminalId: this.terminalId, sequence: 1, atMs: 0 };
    return {
      depth: 1,
      parked: 1,
      sums: { EUR: '12.34' },
      oldestAgeSeconds: 5,
      limitsLeft: [{ terminalId: this.terminalId, amount: '87.66', currency: 'EUR', count: 59 }],
      items: [
        { ...item, kind: 'offlineRecord', state: 'waiting', amount: { minor: 1234, currency: 'EUR' } },
        { ...item, messageId: 'm-2', sequence: 2, kind: 'reversal', state: 'parked', reason: 'refused' },
      ],
      lateDeclines: [
        {
          reference: 'r-9',
          terminalId: this.terminalId,
          amount: '9.99',
          currency: 'EUR',
          approval: 'card-approved',
          reason: 'declined-later',
          atMs: 0,
          detail: '800.100.203 insufficient funds',
          last4Digits: '0040',
        },
      ],
    };
  }

  async flush(): Promise<QueueView> {
    return this.queue();
  }

  onEvent(listener: (event: TillEvent) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  async eventsAfter(afterId: number, limit: number): Promise<readonly TillEvent[]> {
    return this.past.filter((event) => 'id' in event && event.id > afterId).slice(0, limit);
  }

  /** Calls every listener; a durable event is kept. */
  tell(event: TillEvent): void {
    if ('id' in event) this.past.push(event);
    for (const listener of [...this.listeners]) listener(event);
  }

  private accept(request: SaleRequest): void {
    if (this.running) throw new SaleError('terminal-busy', `terminal runs ${this.running}`, this.running);
    this.requests.push(request);
    this.running = request.reference;
    const { reference, type, amount } = request;
    this.kept.set(reference, {
      request,
      answer: {
        reference,
        terminalId: this.terminalId,
        ...(request.till !== undefined && { till: request.till }),
        type,
        state: 'accepted',
        outcome: null,
        mode: null,
        amount: formatAmount(amount),
        currency: amount.currency,
        cashierText: '',
        timeline: [],
      },
    });
    this.change(reference, {});
  }

  private change(reference: string, changes: Partial<SaleAnswer>): SaleAnswer {
    const sale = this.kept.get(reference);
    if (!sale) throw new Error(`no sale ${reference}`);
    sale.answer = { ...sale.answer, ...changes };
    const { answer } = sale;
    this.tell({ type: 'sale', id: this.past.length + 1, atMs: 1_000, step: answer.state, sale: answer });
    if (answer.state === 'done') {
      if (this.running === reference) this.running = undefined;
      for (const resolve of this.waiters.get(reference) ?? []) resolve(answer);
      this.waiters.delete(reference);
    }
    return answer;
  }
}
