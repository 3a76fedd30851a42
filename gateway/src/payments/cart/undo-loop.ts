import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import type { Random } from '@tillbridge/protocol/seams/random.js';
import type { Alerts } from '../../alerts/alerts.js';
import type { CartPaymentRow } from '../../store/rows.js';
import type { Store } from '../../store/store.js';
import type { ClaimLoop, ClaimNode, WorkDone } from '../../workers/claim-loop.js';
import { claimRows } from '../../workers/claim-rows.js';
import { TryLaterError } from '../decide/requests.js';
import { type UndoWith, undoPayment } from '../undo-payment.js';

/** How long a gift-card payment waits that cannot be undone now, in milliseconds. */
const RETRY_MS = 30_000;

/** What gift-card payments of unpaid orders are undone with. */
export interface UndoParts extends UndoWith {
  readonly store: Pick<Store, 'get' | 'findRange' | 'commit'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly alerts: Pick<Alerts, 'raise'>;
  readonly node?: ClaimNode | undefined;
  readonly onFault: (error: unknown) => void;
}

/** Gives back what gift cards have paid for orders whose rest is not paid. */
export function undoLoop(parts: UndoParts): ClaimLoop<CartPaymentRow> {
  return claimRows('cartPayments', {
    ...parts,
    work: (row) => undo(parts, row),
    poisoned: (row) => ({ row: { ...row, state: 'stuck', dueAtMs: null } }),
  });
}

async function undo(parts: UndoParts, row: CartPaymentRow): Promise<WorkDone<CartPaymentRow>> {
  const { clock, alerts } = parts;
  try {
    if (await undoPayment(parts, row.paymentId)) return { row: { ...row, state: 'undone', dueAtMs: null } };
  } catch (error) {
    if (!(error instanceof TryLaterError)) throw error;
    return { row: { ...row, dueAtMs: clock.nowMs() + RETRY_MS } };
  }
  const { paymentId: subject, entityId, orderId } = row;
  const detail = `the rest of order ${orderId} is not paid`;
  await alerts.raise({ code: 'cart-payment-not-reversed', subject, entityId, detail });
  return { row: { ...row, state: 'stuck', dueAtMs: null } };
}
