import { accountMethodOf } from '@tillbridge/wire/payment/account-methods.js';
import type { CartPaymentRow, PaymentRow } from '../../../kernel/store/rows.js';
import type { Change, Store } from '../../../kernel/store/store.js';
import { merchantOf } from '../cards/registered.js';
import type { PaymentRequest } from '../rules/requests.js';

/** Code of a gift-card payment that pays for another order, or for nothing any more (docs/result-codes.md). */
const USED = { resultCode: '700.300.300', responseCode: null };

/** What of the request for the rest of an order its gift-card payments are compared with. */
type Order = Pick<PaymentRequest, 'cart' | 'origin' | 'amount'>;

/** What gift-card payments of orders are kept with. */
interface CartContext {
  readonly store: Pick<Store, 'get'>;
  readonly clock: { nowMs(): number };
}

/** Whether a payment can pay for a part of an order: one with a gift card, of which nothing was given back. Pure. */
export function paysForPart(payment: PaymentRow): boolean {
  const { state, rootId, refundedMinor, reversedMinor } = payment;
  const stands = state === 'authorized' || state === 'captured';
  const isWhole = rootId === null && refundedMinor === 0 && reversedMinor === 0;
  return stands && isWhole && isOfGiftCard(payment);
}

/** Whether a gift card paid. Pure. */
export function isOfGiftCard({ brand }: PaymentRow): boolean {
  return accountMethodOf(brand ?? undefined)?.kind === 'gift-card';
}

/**
 * Takes the gift-card payments of an order for it: the changes, or the refusal where one cannot pay for it any more.
 * @throws StoreUnavailableError
 */
export async function takeCart(
  { store, clock }: CartContext,
  { cart = [], ...order }: Order,
  orderId: string,
): Promise<{ readonly changes: readonly Change[]; readonly refusal?: typeof USED }> {
  const changes: Change[] = [];
  for (const paymentId of cart) {
    const [payment, taken] = await Promise.all([
      store.get('payments', [paymentId]),
      store.get('cartPayments', [paymentId]),
    ]);
    if (!payment || taken || !(await paysFor(store, payment, order))) return { changes: [], refusal: USED };
    changes.push(
      // A refund or reversal of it at this moment conflicts.
      { op: 'update', table: 'payments', row: payment },
      { op: 'insert', table: 'cartPayments', row: newRow(payment, orderId, 'open', clock.nowMs()) },
    );
  }
  return { changes };
}

/**
 * The changes that have the gift-card payments of an order reversed which is refused; those of another order are left alone.
 * @throws StoreUnavailableError
 */
export async function reverseCart(
  { store, clock }: CartContext,
  { cart = [], ...order }: Order,
  orderId: string,
): Promise<readonly Change[]> {
  const changes = cart.map(async (paymentId): Promise<Change[]> => {
    const [payment, taken] = await Promise.all([
      store.get('payments', [paymentId]),
      store.get('cartPayments', [paymentId]),
    ]);
    if (!payment || taken || !(await paysFor(store, payment, order))) return [];
    const row = newRow(payment, orderId, 'reversing', clock.nowMs());
    return [{ op: 'insert', table: 'cartPayments', row }];
  });
  return (await Promise.all(changes)).flat();
}

/** Whether a payment can pay for a part of an order: one of the same merchant in the same currency. @throws StoreUnavailableError */
async function paysFor(
  store: CartContext['store'],
  payment: PaymentRow,
  { origin, amount }: Omit<Order, 'cart'>,
): Promise<boolean> {
  if (!paysForPart(payment) || payment.currency !== amount.currency) return false;
  const [owner, buyer] = [payment.entityId, origin.entityId];
  return owner === buyer || (await merchantOf(store, owner)) === (await merchantOf(store, buyer));
}

/** The rows of an order's gift-card payments. @throws StoreUnavailableError */
export async function cartRows(
  store: Pick<Store, 'get'>,
  cart: readonly string[] = [],
): Promise<readonly CartPaymentRow[]> {
  const rows = await Promise.all(cart.map((paymentId) => store.get('cartPayments', [paymentId])));
  return rows.filter((row) => row !== undefined);
}

function newRow(
  { id: paymentId, entityId }: PaymentRow,
  orderId: string,
  state: 'open' | 'reversing',
  nowMs: number,
): CartPaymentRow {
  return {
    paymentId,
    orderId,
    entityId,
    state,
    dueAtMs: state === 'reversing' ? nowMs : null,
    leasedBy: null,
    claims: 0,
    createdAtMs: nowMs,
    version: 1,
  };
}
