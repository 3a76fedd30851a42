import type { Alerts } from '../../../kernel/alerts/alerts.js';
import { findAll } from '../../../kernel/store/all-rows.js';
import { newTimeOrderedId } from '../../../kernel/store/new-id.js';
import type { PaymentRow } from '../../../kernel/store/rows.js';
import { CommitConflict } from '../../../kernel/store/store.js';
import { sharedRuns } from '../../../kernel/workers/shared-runs.js';
import type { AcquirerChargeback, ChargebackFeed } from '../../acquirers/acquirer.js';
import { type ChargebackVerdict, decideChargeback, isOfChargeback } from '../rules/chargeback.js';
import type { PaymentContext } from '../steps/payment-context.js';

/** Limits of the work on chargebacks. */
export const CHARGEBACK_LIMITS = {
  /** Chargebacks of one page. */
  batch: 200,
  /** A chargeback so young may be followed by one before it: the next look begins before it, in milliseconds. */
  settleMs: 60_000,
  /** From one look to the next, in milliseconds. */
  intervalMs: 10_000,
} as const;

/** What {@link Chargebacks} works with. */
interface ChargebackDeps {
  /** Absent: chargebacks come by files alone. */
  readonly feed?: ChargebackFeed;
  readonly context: Pick<PaymentContext, 'store' | 'random' | 'clock' | 'events' | 'mode'>;
  readonly alerts: Pick<Alerts, 'raise'>;
}

/** What became of a chargeback. */
export type ChargebackOutcome =
  | Exclude<ChargebackVerdict, { readonly kind: 'booked' }>
  | { readonly kind: 'booked'; readonly payment: PaymentRow }
  /** No request of ours has the reference. */
  | { readonly kind: 'unknown' };

/** Why a chargeback is not booked, for a person. */
const REFUSALS = {
  'too-late': 'was charged back after the window of the scheme',
  exceeds: 'was charged back for more than is left of it',
  'no-chargeback': 'was given back money of a chargeback that does not stand with this amount',
} as const;

/**
 * Books a chargeback, or its reversal, that the acquirer reports: a separate payment and its event, in one commit with the payment whose
 * money it is. A repeat of the same chargeback books nothing: the commit includes the row of that payment with its version.
 */
export class Chargebacks {
  readonly #deps: ChargebackDeps;
  /** Everything up to this place is booked. Forgotten with the process: what comes again is booked already. */
  #cursor: string | undefined;

  constructor(deps: ChargebackDeps) {
    this.#deps = deps;
  }

  /**
   * Books what is new; what cannot be booked yet comes again. Calls at once share a round.
   * @throws StoreUnavailableError, AcquirerUnreachableError
   */
  readonly round = sharedRuns(() => this.#round());

  async #round(): Promise<void> {
    const { feed, context } = this.#deps;
    if (!feed) return;
    const { batch, settleMs } = CHARGEBACK_LIMITS;
    const settledMs = context.clock.nowMs() - settleMs;
    let at = this.#cursor;
    let isBookedSoFar = true;
    for (;;) {
      const page = await feed.chargebacksAfter(at, batch);
      for (const reported of page) {
        at = reported.cursor;
        const { kind } = await this.book(reported);
        isBookedSoFar &&= kind !== 'later';
        if (isBookedSoFar && reported.atMs < settledMs) this.#cursor = at;
      }
      if (page.length < batch) return;
    }
  }

  /** Books one. `later`: the payment is busy, or about to be finished. @throws StoreUnavailableError */
  async book(reported: AcquirerChargeback): Promise<ChargebackOutcome> {
    const { context, alerts } = this.#deps;
    const { store, random, clock, events, mode } = context;
    const intent = await store.get('intents', [reported.originalReference]);
    if (!intent) return { kind: 'unknown' };
    const target = await store.get('payments', [intent.paymentId]);
    const root = target?.rootId ? await store.get('payments', [target.rootId]) : target;
    if (!target || !root) return { kind: 'later' };
    const family = await findAll(store, 'payments', 'root', [root.id]);
    const booked = family.filter(isOfChargeback);
    const newId = () => newTimeOrderedId(random, clock.nowMs());
    const verdict = decideChargeback({ target, root, booked, mode: mode ?? 'test' }, reported, newId);
    if (verdict.kind === 'refused') {
      const detail = `payment ${root.id} ${REFUSALS[verdict.why]} (${reported.reason})`;
      await alerts.raise({
        code: 'chargeback-not-booked',
        subject: root.id,
        entityId: root.entityId,
        detail,
      });
    }
    if (verdict.kind !== 'booked') return verdict;
    const { payment, changed, chargeback } = verdict;
    const inserted = chargeback ? [chargeback, payment] : [payment];
    const eventOf = await events.of(root.entityId);
    try {
      await store.commit([
        ...changed.map((row) => ({ op: 'update', table: 'payments', row }) as const),
        ...inserted.map((row) => ({ op: 'insert', table: 'payments', row }) as const),
        ...inserted.flatMap((row) => eventOf(row, clock.nowMs())),
      ]);
      return { kind: 'booked', payment };
    } catch (error) {
      // Another request, or another gateway, was faster.
      if (error instanceof CommitConflict) return { kind: 'later' };
      throw error;
    }
  }
}
