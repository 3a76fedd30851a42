import { parseAmount } from '@tillbridge/wire/payment/money.js';
import type { Echo, EchoValue } from '../../../kernel/api/echo.js';
import type { PaymentRow, SellerPartRow } from '../../../kernel/store/rows.js';
import type { Change } from '../../../kernel/store/store.js';

/** What each seller of a marketplace has of an approved payment (docs/payments.md), for reports on payouts. Pure. */
export function sellerPartChanges(payment: PaymentRow, echo: Echo, nowMs: number): Change[] {
  if (payment.state === 'declined') return [];
  const { id: paymentId, entityId, type, currency } = payment;
  return sellersOf(echo).map(({ id: sellerId, amount }): Change => {
    const { minor: amountMinor } = parseAmount(amount, currency);
    const about = { paymentId, sellerId, entityId, type, amountMinor, currency };
    const row: SellerPartRow = { ...about, createdAtMs: nowMs, version: 1 };
    return { op: 'insert', table: 'sellerParts', row };
  });
}

function sellersOf({ marketPlace }: Echo): { readonly id: string; readonly amount: string }[] {
  const sellers = isGroup(marketPlace) ? marketPlace.sellers : undefined;
  if (!Array.isArray(sellers)) return [];
  return sellers.flatMap((seller) => {
    const { id, amount } = isGroup(seller) ? seller : {};
    return typeof id === 'string' && typeof amount === 'string' ? [{ id, amount }] : [];
  });
}

function isGroup(value: EchoValue | undefined): value is Echo {
  return typeof value === 'object' && !Array.isArray(value);
}
