import type { CartPaymentRow } from '../../store/rows.js';
import type { Change } from '../../store/store.js';

/** The changes of an order's gift-card payments once the rest is paid, or is not. Pure. */
export function endCart(rows: readonly CartPaymentRow[], isPaid: boolean, nowMs: number): readonly Change[] {
  return rows.map((row) => ({
    op: 'update',
    table: 'cartPayments',
    row: isPaid ? { ...row, state: 'kept' } : { ...row, state: 'reversing', dueAtMs: nowMs },
  }));
}
