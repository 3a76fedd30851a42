import { formatAmount, type Money } from '@tillbridge/wire/payment/money.js';
import { present } from '@tillbridge/wire/present.js';
import type { Listeners } from '@tillbridge/wire/seams/listeners.js';
import type { DeviceOutcome } from '../../drivers/core/driver.js';
import type { QueueItem } from '../../journal/forward-queue.js';
import {
  DuplicateKey,
  FIRST_ROW,
  type Journal,
  type JournalRow,
  JournalUnavailable,
} from '../../journal/journal.js';
import type { SaleHold } from '../../journal/journal-watch.js';
import type { UplinkState } from '../../uplink/uplink.js';
import type { ManualOutcome, SaleAnswer } from '../machine/state/answer.js';
import { NOTHING_LIVE } from '../machine/state/events.js';
import { evolve } from '../machine/state/evolve.js';
import type { AcceptedSale, Fact } from '../machine/state/facts.js';
import { capturesOf, voiceOf } from '../machine/state/messages.js';
import { isOpen, type SaleState } from '../machine/state/sale-state.js';
import type { UnforwardedSale } from '../offline/offline-exposure.js';
import type { OfflineReadiness } from '../offline/offline-reasons.js';
import type { TimeFloor } from '../offline/time-floor.js';
import type { PolicyInForce } from '../policy/policy-in-force.js';
import type { ReceiptData } from '../receipts/receipt-data.js';
import { receiptOf } from '../receipts/receipt-of.js';
import type { StoreConfig } from '../receipts/store.js';
import { loadHistory, loadSale } from '../records/compacted-sale.js';
import { factToRow, rowToFact } from '../records/fact-rows.js';
import type { Forwarding } from '../runtime/forwarding.js';
import type { LateDecline } from '../runtime/late-declines.js';
import { type ActorPorts, SaleActor } from '../runtime/sale-actor.js';
import type { SaleRegistry } from '../runtime/sale-registry.js';
import type { TerminalExecutor } from '../runtime/terminal-executor.js';
import { DayCloses } from '../totals/close-day.js';
import type { DayClose } from '../totals/day-close.js';
import { movementsOf } from '../totals/movements.js';
import { type Movement, type TotalsBy, type TotalsGroup, totalsOf } from '../totals/totals.js';
import { saleAnswer } from './answer-view.js';
import { cardRequest } from './card-request.js';
import {
  acknowledgeSale,
  approveSaleByVoice,
  captureSale,
  requestedBy,
  resolveSale,
  reverseSale,
} from './follow-ups.js';
import type { ParkedSale } from './parked-sales.js';
import {
  checkPolicy,
  checkRepeated,
  checkRequest,
  refundedBy,
  takenOf,
  toAccepted,
} from './request-rules.js';
import { pastEvent } from './sale-events.js';
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
  type TillWork,
} from './sale-service.js';
import { journalView, policyView, queueView, terminalView } from './views.js';

/** What the service stands on; the runner owns all of it. */
interface SaleServicePorts {
  readonly journal: Journal;
  readonly ports: ActorPorts;
  readonly executors: ReadonlyMap<string, TerminalExecutor>;
  readonly registry: SaleRegistry;
  readonly time: TimeFloor;
  readonly events: Listeners<[event: TillEvent]>;
  readonly queue: Forwarding;
  /** What stands on receipts. */
  readonly store: StoreConfig;
  policy(): PolicyInForce;
  /** Requests the status of parked messages. */
  askParked(): void;
  link(): UplinkState;
  isBooted(): boolean;
  isClosing(): boolean;
  readiness(terminalId: string): OfflineReadiness;
  saleHold(): SaleHold;
  /** The unconfirmed sales approved without the gateway. */
  unforwarded(): readonly UnforwardedSale[];
  lateDeclines(): readonly LateDecline[];
  parkedSales(): readonly ParkedSale[];
  isExpired(item: QueueItem): boolean;
}

/** Most sales that are added up at once: a busy store of a month. */
const MAX_TOTALED = 100_000;

/** Rows that a search for sales reads at once. */
const ROWS_AT_ONCE = 200;

/** Most durable events given again at once. */
const MAX_EVENTS = 1_000;

/** The service where tills call. */
export class JournaledSaleService implements SaleService {
  readonly #with: SaleServicePorts;
  readonly #dayCloses: DayCloses;

  constructor(ports: SaleServicePorts) {
    this.#with = ports;
    const { journal, time } = ports;
    this.#dayCloses = new DayCloses({ journal, wallMs: () => time.wallMs() });
  }

  async request(
    request: SaleRequest,
    { wait = true }: { readonly wait?: boolean } = {},
  ): Promise<SaleAnswer> {
    checkRequest(request);
    const { reference } = request;
    return this.#guarded(() =>
      this.#with.registry.use(
        reference,
        async (actor, created) => {
          if (!actor) throw new Error('a sale is created or found');
          if (created) void actor.post({ kind: 'begin' }).catch(() => undefined);
          else checkRepeated(request, actor.state);
          if (created) this.#cancelLater(actor, request);
          if (wait) await this.#end(actor);
          return this.#answer(actor.state);
        },
        () => this.#accept(request),
      ),
    );
  }

  get(reference: string): Promise<SaleAnswer> {
    return this.#onSale(reference, (actor) => this.#answer(actor.state));
  }

  sales(query: SalesQuery, after: number, limit: number): Promise<SalesPage> {
    return this.#guarded(async () => {
      const sales: SaleAnswer[] = [];
      let place = after;
      for await (const { row, state } of this.#accepted(query, after)) {
        if (sales.length === limit) return { sales, next: place };
        sales.push(this.#answer(state));
        place = row;
      }
      return { sales };
    });
  }

  refunds(reference: string): Promise<RefundsView> {
    return this.#guarded(async () => {
      const original = await this.#state(reference);
      if (!original) throw unknownReference('reference', reference);
      const refunds = await this.#refundsOf(original);
      const { currency } = original.request;
      const refundedMinor = refunds.reduce((sum, refund) => sum + refundedBy(refund), 0);
      const takenMinor = original.outcome === 'approved' ? takenOf(original) : 0;
      const text = (minor: number) => formatAmount({ minor, currency });
      return {
        currency,
        taken: text(takenMinor),
        refunded: text(refundedMinor),
        refundable: text(Math.max(0, takenMinor - refundedMinor)),
        refunds: refunds.map((refund) => ({
          reference: refund.reference,
          amount: text(refund.request.minor),
          state: refund.phase,
          outcome: refund.outcome,
        })),
      };
    });
  }

  /** The refunds of a sale that the journal has, oldest first. */
  async #refundsOf({ reference, acceptedRow }: SaleState): Promise<readonly SaleState[]> {
    const { journal } = this.#with;
    const found: SaleState[] = [];
    for (let afterRow = acceptedRow; ; ) {
      const range = { sinceMs: 0, untilMs: Number.MAX_SAFE_INTEGER, afterRow, limit: ROWS_AT_ONCE };
      const rows = await journal.rowsOfKind(FIRST_ROW, range);
      for (const row of rows) {
        const refund = isRefundOf(row, reference) ? await this.#state(row.reference) : undefined;
        if (refund) found.push(refund);
      }
      const last = rows.at(-1);
      if (!last || rows.length < ROWS_AT_ONCE) return found;
      afterRow = last.row;
    }
  }

  receipt(reference: string): Promise<ReceiptData> {
    return this.#onSale(reference, ({ state }) => {
      const data = receiptOf(state);
      if (data) return data;
      const why = state.compacted
        ? 'its card data were removed after the retention'
        : 'it has no end with a card';
      throw new SaleError('not-allowed', `sale ${reference} has no receipt: ${why}`);
    });
  }

  cardDetails(reference: string): Promise<CardDetails> {
    return this.#onSale(reference, ({ state: { card } }) =>
      present({ expiry: card?.expiry, panSequenceNumber: card?.panSequenceNumber }),
    );
  }

  totals(query: SalesQuery, by: TotalsBy): Promise<readonly TotalsGroup[]> {
    return this.#guarded(async () => {
      const movements: Movement[] = [];
      let sales = 0;
      for await (const { state } of this.#accepted(query, 0)) {
        sales += 1;
        if (sales > MAX_TOTALED)
          throw new SaleError('bad-request', `more than ${MAX_TOTALED} sales: choose a shorter period`);
        movements.push(...movementsOf(state, await this.#brandOf(state)));
      }
      return totalsOf(movements, by);
    });
  }

  closeDay(reference: string, by?: string): Promise<DayClose> {
    return this.#guarded(async () => {
      const close = await this.#dayCloses.close(reference, by);
      if (close) return close;
      throw new SaleError(
        'reference-conflict',
        'reference: its day close is older than the journal keeps amounts',
      );
    });
  }

  dayCloses(before: number | undefined, limit: number): Promise<readonly DayClose[]> {
    return this.#guarded(() => this.#dayCloses.list(before, limit));
  }

  /** A linked refund reads no card: it counts under the brand of its sale. */
  async #brandOf({ answer, request }: SaleState): Promise<string> {
    const { originalReference } = request;
    if (answer?.brand || originalReference === undefined) return answer?.brand ?? '';
    return (await this.#state(originalReference))?.answer?.brand ?? '';
  }

  async #state(reference: string): Promise<SaleState | undefined> {
    const { journal, registry } = this.#with;
    return registry.peek(reference)?.state ?? (await loadSale(journal, reference));
  }

  /** Sales in the order of their first row, or against it, as they now stand. */
  async *#accepted(
    { sinceMs, untilMs, terminalId, till, newestFirst = false }: SalesQuery,
    after: number,
  ): AsyncGenerator<{ readonly row: number; readonly state: SaleState }> {
    const { journal } = this.#with;
    let afterRow = after;
    for (;;) {
      const range = { sinceMs, untilMs, afterRow, newestFirst, limit: ROWS_AT_ONCE };
      const rows = await journal.rowsOfKind(FIRST_ROW, range);
      for (const { row, reference, ...accepted } of rows) {
        if (terminalId !== undefined && accepted.terminalId !== terminalId) continue;
        const state = await this.#state(reference);
        if (state && (till === undefined || state.request.till === till)) yield { row, state };
      }
      const last = rows.at(-1);
      if (!last || rows.length < ROWS_AT_ONCE) return;
      afterRow = last.row;
    }
  }

  cancel(reference: string, by?: string): Promise<SaleAnswer> {
    return this.#onSale(reference, async (actor) => {
      await actor.post({ kind: 'cancel', ...requestedBy(by) });
      await actor.waitFor(hasEnded, () => false, this.#policy.openAnswerWaitMs);
      return this.#answer(actor.state);
    });
  }

  reverse(reference: string, by?: string): Promise<SaleAnswer> {
    return this.#followUp(reference, (actor) => reverseSale(actor, by));
  }

  capture(reference: string, amount: Money, options: CaptureOptions = {}): Promise<SaleAnswer> {
    return this.#followUp(reference, (actor) => captureSale(actor, amount, options));
  }

  approveByVoice(reference: string, approvalCode: string): Promise<SaleAnswer> {
    const { time } = this.#with;
    return this.#followUp(reference, (actor) =>
      approveSaleByVoice(actor, approvalCode, { nowMs: time.nowMs(), policy: this.#policy }),
    );
  }

  resolve(reference: string, outcome: ManualOutcome, note: string, by?: string): Promise<SaleAnswer> {
    return this.#followUp(reference, (actor) => resolveSale(actor, { outcome, note, ...requestedBy(by) }));
  }

  acknowledge(reference: string, by?: string): Promise<SaleAnswer> {
    return this.#onSale(reference, async (actor) => {
      await acknowledgeSale(actor, by);
      return this.#answer(actor.state);
    });
  }

  terminals(): readonly TerminalView[] {
    return [...this.#with.executors.values()].map((executor) =>
      terminalView(executor, this.#with.readiness(executor.profile.id)),
    );
  }

  async condition(terminalId: string): Promise<ConditionView> {
    return this.#executor(terminalId).condition();
  }

  async device(terminalId: string, work: TillWork): Promise<DeviceOutcome> {
    const executor = this.#executor(terminalId);
    if (work.kind !== 'read-card') return executor.device(work);
    const { cardTimeoutMs } = this.#policy;
    const { timeZone } = this.#with.store;
    const request = cardRequest(work.amount, this.#with.time.wallMs(), { timeZone, cardTimeoutMs });
    return executor.device({ kind: 'read-card', request });
  }

  async cancelDevice(terminalId: string): Promise<void> {
    await this.#executor(terminalId).cancelDevice();
  }

  status(): StatusView {
    const { journal, queue, registry, time } = this.#with;
    const contactAgeMs = time.contactAgeMs();
    return {
      gateway: {
        state: this.#with.link(),
        ...(contactAgeMs !== undefined && { lastContactAgeSeconds: Math.floor(contactAgeMs / 1_000) }),
      },
      journal: journalView(journal),
      terminals: this.terminals(),
      queue: {
        depth: queue.depth(),
        parked: queue.parkedCount(),
        lateDeclines: this.#with.lateDeclines().length,
      },
      parked: this.#with.parkedSales(),
      policy: policyView(this.#with.policy()),
      open: registry.present().flatMap(({ state }) => {
        const { till } = state.request;
        return isOpen(state) ? [{ reference: state.reference, ...(till !== undefined && { till }) }] : [];
      }),
    };
  }

  queue(): QueueView {
    const { queue, time, executors } = this.#with;
    const { unforwarded, lateDeclines, isExpired } = this.#with;
    return queueView({
      queue,
      time,
      policy: this.#policy,
      terminalIds: [...executors.keys()],
      unforwarded: unforwarded(),
      lateDeclines: lateDeclines(),
      isExpired,
    });
  }

  async flush(): Promise<QueueView> {
    this.#with.queue.ring();
    this.#with.askParked();
    return this.queue();
  }

  onEvent(listener: (event: TillEvent) => void): () => void {
    return this.#with.events.add(listener);
  }

  eventsAfter(afterId: number, limit: number): Promise<readonly TillEvent[]> {
    const { journal } = this.#with;
    return this.#guarded(async () => {
      let after = afterId;
      for (;;) {
        const rows = await journal.rowsAfter(after, Math.min(limit, MAX_EVENTS));
        const events = await Promise.all(
          rows.map(async (row) =>
            row.reference
              ? pastEvent(row, await loadHistory(journal, row.reference), this.#with.store)
              : undefined,
          ),
        );
        const found = events.filter((event) => event !== undefined);
        const last = rows.at(-1);
        // Rows of no sale give no event: an empty answer means that there is none, not that none was on this page.
        if (found.length > 0 || !last) return found;
        after = last.row;
      }
    });
  }

  /** A deadline that comes behind the decision changes nothing, as any cancel; a restart ends the wait for a card anyway. */
  #cancelLater(actor: SaleActor, { cancelAfterMs }: SaleRequest): void {
    if (cancelAfterMs === undefined) return;
    this.#with.ports.clock.setTimer(cancelAfterMs, () => {
      void actor.post({ kind: 'cancel' }).catch(() => undefined);
    });
  }

  /** Journals a new sale and gives it its terminal; nothing is journaled when the terminal is busy. */
  async #accept(request: SaleRequest): Promise<SaleActor> {
    const { hold, text } = this.#with.saleHold();
    if (hold === 'all') throw noJournal(text);
    checkPolicy(request, this.#with.policy());
    const accepted = await this.#readAccepted(request);
    const executor = this.#freeExecutor(request.terminalId);
    const { reference } = request;
    executor.running = reference;
    try {
      const state = await this.#journalAccepted(reference, executor.profile.id, accepted);
      return new SaleActor(this.#with.ports, { state, live: NOTHING_LIVE });
    } catch (error) {
      executor.running = undefined;
      throw error;
    }
  }

  async #journalAccepted(reference: string, terminalId: string, sale: AcceptedSale): Promise<SaleState> {
    const { journal, ports, time } = this.#with;
    const fact: Fact = { kind: FIRST_ROW, sale };
    const rows = await journal.append({
      atMs: time.wallMs(),
      rows: [factToRow(fact, reference, terminalId)],
      sale: { reference, open: true },
    });
    const [row] = rows;
    if (!row) throw new Error('the journal returned no row');
    const state = evolve(undefined, fact, row);
    ports.committed(rows, [state]);
    return state;
  }

  async #readAccepted(request: SaleRequest): Promise<AcceptedSale> {
    const { originalReference } = request;
    if (originalReference === undefined) return toAccepted(request, undefined);
    const { registry, journal } = this.#with;
    // Looked at, not taken: two refunds that name each other, or one that names itself, would wait for ever.
    const original = registry.peek(originalReference)?.state ?? (await loadSale(journal, originalReference));
    if (!original) throw unknownReference('originalReference', originalReference);
    const refunds = await this.#refundsOf(original);
    const refundedMinor = refunds.reduce((sum, refund) => sum + refundedBy(refund), 0);
    return toAccepted(request, original, refundedMinor);
  }

  /** The terminal of this id, or the only one. */
  #executor(terminalId: string | undefined): TerminalExecutor {
    const { executors } = this.#with;
    const [only] = executors.size === 1 ? executors.values() : [];
    const executor = terminalId === undefined ? only : executors.get(terminalId);
    if (executor) return executor;
    const known = `terminals of this agent: ${[...executors.keys()].join(', ') || 'none'}`;
    if (terminalId === undefined) throw new SaleError('bad-request', `terminalId is needed; ${known}`);
    throw new SaleError('unknown-terminal', `no terminal ${terminalId}; ${known}`);
  }

  #freeExecutor(terminalId: string | undefined): TerminalExecutor {
    const executor = this.#executor(terminalId);
    // Anything else ends at once, and the sale waits for it.
    if (executor.atWork === 'read-card' || executor.atWork === 'ask')
      throw new SaleError('terminal-busy', `terminal ${executor.profile.id} serves a till outside a sale`);
    if (executor.running !== undefined) {
      throw new SaleError(
        'terminal-busy',
        `terminal ${executor.profile.id} runs sale ${executor.running}; wait for it, or cancel it`,
        executor.running,
      );
    }
    return executor;
  }

  /** A sale in memory is served with or without the disk: running sales have to come to their end. */
  #onSale<T>(reference: string, work: (actor: SaleActor) => Promise<T> | T): Promise<T> {
    const use = () =>
      this.#with.registry.use(reference, (actor) => {
        if (!actor) throw unknownReference('reference', reference);
        return work(actor);
      });
    return this.#with.registry.peek(reference) ? this.#explained(use) : this.#guarded(use);
  }

  /** Does what the till requests of a sale, and waits for where that leads. */
  #followUp(reference: string, work: (actor: SaleActor) => Promise<void>): Promise<SaleAnswer> {
    return this.#onSale(reference, async (actor) => {
      await work(actor);
      await this.#end(actor);
      return this.#answer(actor.state);
    });
  }

  #end(actor: SaleActor): Promise<void> {
    return actor.waitFor(hasEnded, mayTakeItsTime, this.#policy.openAnswerWaitMs);
  }

  #answer(state: SaleState): SaleAnswer {
    return saleAnswer(state, this.#with.store);
  }

  get #policy() {
    return this.#with.policy().policy;
  }

  #guarded<T>(work: () => Promise<T>): Promise<T> {
    if (this.#with.isClosing()) return Promise.reject(new SaleError('closing', 'the agent is going down'));
    return this.#with.isBooted() ? this.#explained(work) : Promise.reject(this.#notBooted());
  }

  async #explained<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      // A repeated key: the disk took a row that it reported as lost. The next boot of the journal finds it.
      if (error instanceof JournalUnavailable || error instanceof DuplicateKey)
        throw noJournal(error.message);
      throw error;
    }
  }

  #notBooted(): SaleError {
    const { state } = this.#with.journal;
    return noJournal(state.kind === 'unavailable' ? state.detail : 'the journal is still being read');
  }
}

function hasEnded(state: SaleState): boolean {
  const owed = [voiceOf(state), ...capturesOf(state)];
  return !isOpen(state) && !owed.some((each) => each?.deliveryStatus === 'queued');
}

/** With a card or a gateway's answer on its way the end comes within the machine's own limits. */
function mayTakeItsTime(state: SaleState): boolean {
  return isOpen(state) && state.phase !== 'unknown' && state.phase !== 'reversing';
}

/** `row`: that which accepted a sale. */
function isRefundOf(row: JournalRow, reference: string): boolean {
  const fact = rowToFact(row);
  return fact?.kind === FIRST_ROW && fact.sale.originalReference === reference;
}

function noJournal(detail: string): SaleError {
  return new SaleError('journal-unavailable', `nothing can be recorded, so nothing is accepted: ${detail}`);
}

function unknownReference(field: string, reference: string): SaleError {
  return new SaleError('unknown-reference', `${field}: no sale ${reference} on this agent`);
}
