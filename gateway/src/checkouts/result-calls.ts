import { withQuery } from '@tillbridge/protocol/api/return-url.js';
import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import type { Random } from '@tillbridge/protocol/seams/random.js';
import type { Egress } from '../egress/egress.js';
import { EgressError } from '../egress/egress-error.js';
import { checkoutResource } from '../payments/view/return-resource.js';
import type { CheckoutRow } from '../store/rows.js';
import type { Store } from '../store/store.js';
import { ClaimLoop, type WorkDone } from '../workers/claim-loop.js';
import type { Checkouts } from './checkouts.js';
import { decideResultCall, RESULT_CALL_LIMITS, type ResultCall } from './decide-result-call.js';
import { type PostedParts, postedBefore } from './posted.js';

/** What {@link ResultCalls} works with. */
export interface ResultCallParts extends PostedParts {
  readonly store: Pick<Store, 'get' | 'findRange' | 'commit'>;
  readonly checkouts: Pick<Checkouts, 'parametersOf'>;
  readonly egress: Pick<Egress, 'send'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly onFault: (error: unknown) => void;
}

/**
 * Calls the shops whose shoppers have posted something to a checkout and that have not fetched the result (spec 3): a GET to the address where
 * the shopper goes after, with the id and the path of the result, 29 minutes after the checkout was created.
 */
export class ResultCalls {
  readonly #parts: ResultCallParts;
  readonly #loop: ClaimLoop<CheckoutRow>;

  constructor(parts: ResultCallParts) {
    this.#parts = parts;
    const { store, clock, random, onFault } = parts;
    this.#loop = new ClaimLoop<CheckoutRow>({
      store,
      clock,
      random,
      update: (row) => ({ op: 'update', table: 'checkouts', row }),
      due: (nowMs, limit) => store.findRange('checkouts', 'due', { below: nowMs + 1, limit }),
      work: (row) => this.#work(row),
      poisoned: (row) => ({ row: { ...row, dueAtMs: null } }),
      onFault,
    });
  }

  /** Looks for shops to call now, and from then on again and again. */
  start(): void {
    this.#loop.wake();
  }

  /** Resolves when all that is due was called. */
  idle(): Promise<void> {
    return this.#loop.idle();
  }

  /** Begins nothing more; resolves when what is on its way has ended. */
  stop(): Promise<void> {
    return this.#loop.stop();
  }

  async #work(row: CheckoutRow): Promise<WorkDone<CheckoutRow>> {
    const { clock } = this.#parts;
    const before = await postedBefore(this.#parts, row);
    const verdict = decideResultCall(row, before, clock.nowMs());
    if (verdict !== 'call') return { row: { ...row, dueAtMs: verdict.dueAtMs } };
    const url = (await this.#parts.checkouts.parametersOf(row)).shopperResultUrl ?? row.shopperResultUrl;
    if (url === null || row.posted === null) return { row: { ...row, dueAtMs: null } };
    const call = await this.#call(withQuery(url, { ...checkoutResource(row.id, row.posted) }));
    const calls = [...(JSON.parse(row.calls) as ResultCall[]), call];
    const isOver = call.fault === 'refused-url' || (call.status !== undefined && call.status < 400);
    const isLast = isOver || calls.length >= RESULT_CALL_LIMITS.tries;
    const dueAtMs = isLast ? null : clock.nowMs() + RESULT_CALL_LIMITS.retryMs;
    return { row: { ...row, calls: JSON.stringify(calls), dueAtMs } };
  }

  async #call(url: string): Promise<ResultCall> {
    const { egress, clock } = this.#parts;
    const atMs = clock.nowMs();
    try {
      const { timeoutMs } = RESULT_CALL_LIMITS;
      const { status } = await egress.send({ method: 'GET', url, ignoreAnswer: true, timeoutMs });
      return { atMs, status };
    } catch (error) {
      if (!(error instanceof EgressError)) throw error;
      return { atMs, fault: error.code };
    }
  }
}
