import type { Alerts } from '../../../kernel/alerts/alerts.js';
import { TryLaterError } from '../../../kernel/errors/try-later-error.js';
import type { CartPaymentRow } from '../../../kernel/store/rows.js';
import type { Store } from '../../../kernel/store/store.js';
import type { ClaimDeps, ClaimLoop, WorkDone } from '../../../kernel/workers/claim-loop.js';
import { claimRows } from '../../../kernel/workers/claim-rows.js';
import { type ReverseDeps, reversePayment } from './reverse-payment.js';

/** How long a gift-card payment waits that cannot be reversed now, in milliseconds. */
const RETRY_MS = 30_000;

/** What gift-card payments of unpaid orders are reversed with. */
interface CartReversalDeps extends ReverseDeps, ClaimDeps {
  readonly store: Pick<Store, 'get' | 'findRange' | 'commit'>;
  readonly alerts: Pick<Alerts, 'raise'>;
}

/** Gives back what gift cards have paid for orders whose rest is not paid. */
export function cartReversalLoop(deps: CartReversalDeps): ClaimLoop<CartPaymentRow> {
  return claimRows('cartPayments', {
    ...deps,
    work: (row) => reverse(deps, row),
    poisoned: (row) => ({ row: { ...row, state: 'stuck', dueAtMs: null } }),
  });
}

async function reverse(deps: CartReversalDeps, row: CartPaymentRow): Promise<WorkDone<CartPaymentRow>> {
  const { clock, alerts } = deps;
  try {
    if (await reversePayment(deps, row.paymentId))
      return { row: { ...row, state: 'reversed', dueAtMs: null } };
  } catch (error) {
    if (!(error instanceof TryLaterError)) throw error;
    return { row: { ...row, dueAtMs: clock.nowMs() + RETRY_MS } };
  }
  const { paymentId: subject, entityId, orderId } = row;
  const detail = `the rest of order ${orderId} is not paid`;
  await alerts.raise({ code: 'cart-payment-not-reversed', subject, entityId, detail });
  return { row: { ...row, state: 'stuck', dueAtMs: null } };
}
