import type { CartPaymentRow } from '../../../kernel/store/rows.js';
import type { Change } from '../../../kernel/store/store.js';

/** The changes of an order's gift-card payments once the rest is paid, or is not. Pure. */
export function endCart(rows: readonly CartPaymentRow[], isPaid: boolean, nowMs: number): readonly Change[] {
  return rows.map((row) => ({
    op: 'update',
    table: 'cartPayments',
    row: isPaid ? { ...row, state: 'kept' } : { ...row, state: 'reversing', dueAtMs: nowMs },
  }));
}
