import type { PaymentRow } from '../../../kernel/store/rows.js';

/** What holds of every payment at any time; looked at before a write. @throws Error naming the rule, never the card */
export function assertAmounts(payment: PaymentRow): void {
  const { authorizedMinor, capturedMinor, refundedMinor, chargedBackMinor, reversedMinor, id } = payment;
  const parts = [authorizedMinor, capturedMinor, refundedMinor, chargedBackMinor, reversedMinor];
  const amounts = [payment.amountMinor, ...parts];
  if (!amounts.every((amount) => Number.isSafeInteger(amount) && amount >= 0)) {
    throw new Error(`payment ${id}: an amount is negative or not whole`);
  }
  if (capturedMinor + reversedMinor > authorizedMinor) {
    throw new Error(`payment ${id}: captured and reversed exceed authorized`);
  }
  if (refundedMinor + chargedBackMinor > capturedMinor)
    throw new Error(`payment ${id}: refunded and charged back exceed captured`);
}
