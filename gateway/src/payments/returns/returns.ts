import type { AcquirerReturned, ReturnFeed } from '../../acquirers/acquirer.js';
import type { Alerts } from '../../alerts/alerts.js';
import { CommitConflict } from '../../store/store.js';
import { decideReturn } from '../decide/chargeback.js';
import type { PaymentContext } from '../flow/payment-context.js';

/** Limits of the work on returns. */
export const RETURN_LIMITS = {
  /** Returns of one page. */
  batch: 200,
  /** A return so young may be followed by one before it: the next look begins before it, in milliseconds. */
  settleMs: 60_000,
  /** From one look to the next, in milliseconds. */
  intervalMs: 10_000,
} as const;

/** What {@link Returns} works with. */
export interface ReturnParts {
  readonly feed: ReturnFeed;
  readonly context: Pick<PaymentContext, 'store' | 'fingerprint' | 'clock' | 'events'>;
  readonly alerts: Pick<Alerts, 'raise'>;
}

/** Books what the acquirer says was returned: a chargeback and its event, in one commit with the payment that it takes the money of. */
export class Returns {
  readonly #parts: ReturnParts;
  /** Everything up to this place is booked. Forgotten with the process: what comes again is booked already. */
  #cursor: string | undefined;

  constructor(parts: ReturnParts) {
    this.#parts = parts;
  }

  /** Books what is new; what cannot be booked yet comes again. @throws StoreUnavailableError, AcquirerUnreachableError */
  async round(): Promise<void> {
    const { feed, context } = this.#parts;
    const { batch, settleMs } = RETURN_LIMITS;
    const settledMs = context.clock.nowMs() - settleMs;
    let at = this.#cursor;
    let isBookedSoFar = true;
    for (;;) {
      const page = await feed.returnsAfter(at, batch);
      for (const returned of page) {
        at = returned.cursor;
        isBookedSoFar = (await this.#book(returned)) && isBookedSoFar;
        if (isBookedSoFar && returned.atMs < settledMs) this.#cursor = at;
      }
      if (page.length < batch) return;
    }
  }

  /** Whether the return is booked, or needs no booking. */
  async #book(returned: AcquirerReturned): Promise<boolean> {
    const { context, alerts } = this.#parts;
    const { store, fingerprint, clock, events } = context;
    const { acquirerReference } = returned;
    const intent = await store.get('intents', [acquirerReference]);
    const debit = intent && (await store.get('payments', [intent.paymentId]));
    // An intent without its payment is about to be finished.
    if (!debit) return intent === undefined;
    const id = fingerprint('payment', JSON.stringify(['return', acquirerReference])).slice(0, 32);
    const verdict = decideReturn(debit, returned, id);
    if (verdict.kind === 'too-late') {
      const detail = `payment ${debit.id} came back for ${returned.reason} after the window of the scheme`;
      await alerts.raise({ code: 'return-too-late', subject: debit.id, entityId: debit.entityId, detail });
    }
    if (verdict.kind !== 'chargeback') return verdict.kind !== 'later';
    const eventOf = await events.of(debit.entityId);
    try {
      await store.commit([
        { op: 'update', table: 'payments', row: verdict.debit },
        { op: 'insert', table: 'payments', row: verdict.chargeback },
        ...eventOf(verdict.chargeback, clock.nowMs()),
      ]);
      return true;
    } catch (error) {
      if (error instanceof CommitConflict) return false;
      throw error;
    }
  }
}
