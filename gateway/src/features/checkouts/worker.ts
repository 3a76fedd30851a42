import { checkoutResource } from '../../core/payments/view/return-resource.js';
import { withQuery } from '../../kernel/api/return-url.js';
import type { Egress } from '../../kernel/egress/egress.js';
import { EgressError } from '../../kernel/egress/egress-error.js';
import type { CheckoutRow } from '../../kernel/store/rows.js';
import type { Store } from '../../kernel/store/store.js';
import type { ClaimDeps, ClaimLoop, WorkDone } from '../../kernel/workers/claim-loop.js';
import { claimRows } from '../../kernel/workers/claim-rows.js';
import { type PostedParts, postedBefore } from './posted.js';
import { decideResultCall, RESULT_CALL_LIMITS, type ResultCall } from './rules/decide-result-call.js';
import type { Checkouts } from './service.js';

/** What {@link resultCallLoop} works with. */
interface ResultCallDeps extends PostedParts, ClaimDeps {
  readonly store: Pick<Store, 'get' | 'findRange' | 'commit'>;
  readonly checkouts: Pick<Checkouts, 'parametersOf'>;
  readonly egress: Pick<Egress, 'send'>;
}

/**
 * Calls the shops whose shoppers have posted something to a checkout and that have not fetched the result (docs/checkouts.md): a GET to the address where
 * the shopper goes after, with the id and the path of the result, 29 minutes after the checkout was created.
 */
export function resultCallLoop(deps: ResultCallDeps): ClaimLoop<CheckoutRow> {
  return claimRows('checkouts', {
    ...deps,
    work: (row) => work(deps, row),
    poisoned: (row) => ({ row: { ...row, dueAtMs: null } }),
  });
}

async function work(deps: ResultCallDeps, row: CheckoutRow): Promise<WorkDone<CheckoutRow>> {
  const { checkouts, clock } = deps;
  const before = await postedBefore(deps, row);
  const verdict = decideResultCall(row, before, clock.nowMs());
  if (verdict !== 'call') return { row: { ...row, dueAtMs: verdict.dueAtMs } };
  const url = (await checkouts.parametersOf(row)).shopperResultUrl ?? row.shopperResultUrl;
  if (url === null || row.posted === null) return { row: { ...row, dueAtMs: null } };
  const call = await callShop(deps, withQuery(url, { ...checkoutResource(row.id, row.posted) }));
  const calls = [...(JSON.parse(row.calls) as ResultCall[]), call];
  const isOver = call.fault === 'refused-url' || (call.status !== undefined && call.status < 400);
  const isLast = isOver || calls.length >= RESULT_CALL_LIMITS.tries;
  const dueAtMs = isLast ? null : clock.nowMs() + RESULT_CALL_LIMITS.retryMs;
  return { row: { ...row, calls: JSON.stringify(calls), dueAtMs } };
}

async function callShop({ egress, clock }: ResultCallDeps, url: string): Promise<ResultCall> {
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
