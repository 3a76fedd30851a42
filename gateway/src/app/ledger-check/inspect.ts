import { type AcquirerRecord, isChargebackKind, type RecordEntry } from '../../core/acquirers/acquirer.js';
import { alertId } from '../../kernel/alerts/alert-changes.js';
import { SETTLEMENT_ALERT } from '../../kernel/alerts/alert-table.js';
import type {
  AlertRow,
  InboxRow,
  IntentRow,
  LinkExchangeRow,
  LinkSettledRow,
  LinkTotalsRow,
  PaymentRow,
} from '../../kernel/store/rows.js';
import type { Store } from '../../kernel/store/store.js';
import { answerWithoutPayment, compareAnswer, paymentOfAnswer } from './compare-answer.js';
import { comparePayment } from './compare-payment.js';
import type { Difference, Subject } from './difference.js';
import { belongsToIntent } from './family.js';
import { inspectExchange, inspectLine, inspectTotals } from './inspect-link.js';

/** The record of an acquirer, and its name. */
export type NamedRecord = AcquirerRecord & { readonly name: string };

/** What the inspection compares, and when a request without an outcome is too old. */
export interface InspectionDeps {
  readonly store: Pick<Store, 'get' | 'find' | 'findAfter'>;
  /** The records of acquirers, and the names that they have in our payments; those that show none are absent. */
  readonly records: readonly NamedRecord[];
  readonly clock: { nowMs(): number };
  readonly overdueMs: number;
}

/** Compares one subject with everything that refers to it. A running request is not judged: its intent is not done. */
export class Inspection {
  readonly #deps: InspectionDeps;

  constructor(deps: InspectionDeps) {
    this.#deps = deps;
  }

  /** Compares a subject again. @throws StoreUnavailableError, AcquirerUnreachableError */
  async again(subject: Subject): Promise<readonly Difference[]> {
    const { store, records } = this.#deps;
    switch (subject.of) {
      case 'payment': {
        const payment = await store.get('payments', [subject.id]);
        return payment ? this.payment(payment) : [];
      }
      case 'entry': {
        for (const record of records) {
          const entry = await record.entry(subject.reference);
          if (entry) return this.entry(entry, record);
        }
        return [];
      }
      case 'intent': {
        const intent = await store.get('intents', [subject.id]);
        return intent ? this.intent(intent) : [];
      }
      case 'answer': {
        const answer = await store.get('inbox', [subject.agentId, subject.messageId]);
        return answer ? this.answer(answer) : [];
      }
      case 'exchange': {
        const exchange = await store.get('linkExchanges', [subject.reference]);
        return exchange ? this.exchange(exchange) : [];
      }
      case 'line': {
        const line = await store.get('linkSettled', [subject.id]);
        return line ? this.line(line) : [];
      }
      case 'totals': {
        const { acquirer, day, acceptorId, currency } = subject;
        const totals = await store.get('linkTotals', [acquirer, day, acceptorId, currency]);
        return totals ? this.totals(totals) : [];
      }
      case 'settlement': {
        const alert = await store.get('alerts', [alertId(SETTLEMENT_ALERT, subject.part)]);
        return alert && alert.endedAtMs === null ? this.settlement(alert) : [];
      }
    }
  }

  /** Compares what an exchange of a link moved with the acquirer's files. */
  exchange(exchange: LinkExchangeRow): Promise<readonly Difference[]> {
    return inspectExchange(this.#deps.store, exchange);
  }

  /** Checks that a line of an acquirer's file is about an exchange. */
  line(line: LinkSettledRow): Promise<readonly Difference[]> {
    return inspectLine(this.#deps.store, line);
  }

  /** Whether the host of an acquirer has other totals of a settlement day. */
  async totals(totals: LinkTotalsRow): Promise<readonly Difference[]> {
    return inspectTotals(totals);
  }

  /** A part of a settlement run that failed, by its alert. */
  async settlement({ subject, detail }: AlertRow): Promise<readonly Difference[]> {
    return [{ kind: SETTLEMENT_ALERT, subject: { of: 'settlement', part: subject }, detail }];
  }

  /** Compares a payment with the acquirer's entry and with the stored answer. */
  async payment(payment: PaymentRow): Promise<readonly Difference[]> {
    const { store, records } = this.#deps;
    const record = records.find(({ name }) => name === payment.acquirer);
    const { id, agentId, messageId, acquirerReference, lockedBy } = payment;
    const found: Omit<Difference, 'subject'>[] = [];
    if (record && acquirerReference !== null && lockedBy === null) {
      const entry = await record.entry(acquirerReference);
      const differences = comparePayment(payment, entry);
      // A request in between has changed the row: it is compared again later.
      if (differences.length > 0 && (await this.#stands(payment))) found.push(...differences);
    }
    if (agentId !== null && messageId !== null)
      found.push(...compareAnswer(payment, await store.get('inbox', [agentId, messageId])));
    return found.map((each) => ({ ...each, subject: { of: 'payment', id } }));
  }

  /** Checks that the gateway requested an entry of the acquirer. */
  async entry(entry: RecordEntry, record: AcquirerRecord): Promise<readonly Difference[]> {
    const { store } = this.#deps;
    const { acquirerReference: reference, kind, approved, messageId } = entry;
    const subject: Subject = { of: 'entry', reference };
    if (isChargebackKind(kind) && (await this.#isBookedOrYoung(entry, record))) return [];
    const intent = await store.get('intents', [reference]);
    if (intent && intent.state !== 'done') return [];
    if (intent) {
      const payment = await store.get('payments', [intent.paymentId]);
      return payment ? [] : [{ kind: 'intent-without-payment', subject, detail: `intent ${intent.id}` }];
    }
    if (await belongsToIntent(store, record, entry)) return [];
    const what = `${kind}, ${approved ? 'approved' : 'declined'}, ${entry.amountMinor} ${entry.currency} (minor units)`;
    const message = messageId === null ? '' : `, message ${messageId}`;
    return [{ kind: 'acquirer-only', subject, detail: what + message }];
  }

  /** Checks that a request has not been without an outcome for too long. */
  async intent({ id, state, kind, createdAtMs }: IntentRow): Promise<readonly Difference[]> {
    const ageMs = this.#deps.clock.nowMs() - createdAtMs;
    if (state === 'done' || ageMs < this.#deps.overdueMs) return [];
    const detail = `${kind}, open for ${Math.floor(ageMs / 3_600_000)} hours`;
    return [{ kind: 'intent-overdue', subject: { of: 'intent', id }, detail }];
  }

  /** Checks that the payment of a stored answer exists. */
  async answer(answer: InboxRow): Promise<readonly Difference[]> {
    const { agentId, messageId } = answer;
    const paymentId = paymentOfAnswer(answer);
    const payment = paymentId === undefined ? undefined : await this.#deps.store.get('payments', [paymentId]);
    if (payment) return [];
    const subject: Subject = { of: 'answer', agentId, messageId };
    return answerWithoutPayment(answer).map((each) => ({ ...each, subject }));
  }

  /** Whether the payment of a chargeback is there; a young one is about to be. */
  async #isBookedOrYoung(
    { acquirerReference, originalReference, approved, atMs }: RecordEntry,
    record: AcquirerRecord,
  ): Promise<boolean> {
    const { store, clock, overdueMs } = this.#deps;
    if (!approved || clock.nowMs() - atMs < overdueMs) return true;
    let original = originalReference;
    const charged = original === null ? undefined : await record.entry(original);
    if (charged?.kind === 'chargeback') original = charged.originalReference;
    const intent = original === null ? undefined : await store.get('intents', [original]);
    if (!intent) return false;
    const family = await store.find('payments', 'root', [intent.rootId ?? intent.paymentId]);
    return family.some((payment) => payment.acquirerReference === acquirerReference);
  }

  async #stands({ id, version }: PaymentRow): Promise<boolean> {
    const now = await this.#deps.store.get('payments', [id]);
    return now?.version === version && now.lockedBy === null;
  }
}
