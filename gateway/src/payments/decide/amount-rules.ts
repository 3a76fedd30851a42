import type { PaymentRow } from '../../store/rows.js';

/** What holds of every payment at any time; looked at before a write. @throws Error naming the rule, never the card */
export function assertAmounts(payment: PaymentRow): void {
  const { authorizedMinor, capturedMinor, refundedMinor, reversedMinor, id } = payment;
  const amounts = [payment.amountMinor, authorizedMinor, capturedMinor, refundedMinor, reversedMinor];
  if (!amounts.every((amount) => Number.isSafeInteger(amount) && amount >= 0)) {
    throw new Error(`payment ${id}: an amount is negative or not whole`);
  }
  if (capturedMinor + reversedMinor > authorizedMinor) {
    throw new Error(`payment ${id}: captured and reversed exceed authorized`);
  }
  if (refundedMinor > capturedMinor) throw new Error(`payment ${id}: refunded exceeds captured`);
}
