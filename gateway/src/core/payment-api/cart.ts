import { amountOrFault, formatAmount } from '@tillbridge/wire/payment/money.js';
import type { ParameterValues } from '../../kernel/api/catalogue/sections.js';
import type { ParameterError } from '../../kernel/api/validate.js';
import { invalidParameters } from '../../kernel/http/request/envelope.js';
import type { PaymentRow } from '../../kernel/store/rows.js';
import type { Store } from '../../kernel/store/store.js';
import { isOfGiftCard, paysForPart } from '../payments/cart/cart-payments.js';
import { isSameMerchant } from '../payments/steps/find-target.js';

const TYPE = /^(cart\.payments\[\d+\]\.)type$/;
const PAYMENT_ID = /^[0-9a-f]{32}$/;

/** An entry of the order that names a gift-card payment of the same merchant. */
interface GiftCardPart {
  /** Beginning of the names of its parameters. */
  readonly prefix: string;
  readonly payment: PaymentRow;
}

/**
 * Ids of the gift-card payments of the same merchant that a payment names as parts of its order; undefined without one. Each
 * is whole, and named once. Any other name is free text: a statement of the merchant, such as of a gift card that was redeemed elsewhere.
 * @throws RequestRefused that names each fault; StoreUnavailableError
 */
export async function cartOf(
  store: Store,
  values: ParameterValues,
  entityId: string,
): Promise<readonly string[] | undefined> {
  const parts = await giftCardParts(store, values, entityId);
  const errors = parts.flatMap(({ prefix, payment }, at): ParameterError[] => {
    const fault = (message: string) => [{ name: `${prefix}name`, value: payment.id, message }];
    if (parts.slice(0, at).some((before) => before.payment.id === payment.id))
      return fault('must name another payment than those before');
    if (!paysForPart(payment)) return fault('must be a gift-card payment of which nothing was given back');
    return differences(values, prefix, payment);
  });
  if (errors.length > 0) throw invalidParameters(errors);
  return idsOf(parts);
}

/** The same ids without a check of the payments; undefined without one. @throws StoreUnavailableError */
export async function cartIds(
  store: Store,
  values: ParameterValues,
  entityId: string,
): Promise<readonly string[] | undefined> {
  return idsOf(await giftCardParts(store, values, entityId));
}

function idsOf(parts: readonly GiftCardPart[]): readonly string[] | undefined {
  return parts.length > 0 ? parts.map(({ payment }) => payment.id) : undefined;
}

/** The payment of another merchant is as unknown as one that does not exist. */
async function giftCardParts(
  store: Store,
  values: ParameterValues,
  entityId: string,
): Promise<readonly GiftCardPart[]> {
  const parts: GiftCardPart[] = [];
  for (const [name, type] of values) {
    const prefix = TYPE.exec(name)?.[1];
    const id = prefix === undefined || type !== 'GIFTCARD' ? undefined : values.get(`${prefix}name`);
    if (prefix === undefined || id === undefined || !PAYMENT_ID.test(id)) continue;
    const payment = await store.get('payments', [id]);
    const isPart =
      payment && isOfGiftCard(payment) && (await isSameMerchant(store, payment.entityId, entityId));
    if (isPart) parts.push({ prefix, payment });
  }
  return parts;
}

/** What contradicts the payment. */
function differences(values: ParameterValues, prefix: string, payment: PaymentRow): ParameterError[] {
  const { amountMinor: minor, currency, brand } = payment;
  const amount = values.get(`${prefix}amount`);
  const claims: readonly [name: string, holds: boolean, is: string | null][] = [
    ['amount', amount === undefined || isAmount(amount, payment), formatAmount({ minor, currency })],
    // Without one of its own an entry is in the currency of the order.
    ['currency', (values.get(`${prefix}currency`) ?? values.get('currency')) === currency, currency],
    ['brand', (values.get(`${prefix}brand`) ?? brand) === brand, brand],
  ];
  return claims
    .filter(([, holds]) => !holds)
    .map(([name, , is]) => ({
      name: prefix + name,
      value: values.get(prefix + name) ?? null,
      message: `must be that of the payment, ${is}`,
    }));
}

function isAmount(amount: string, { amountMinor, currency }: PaymentRow): boolean {
  const read = amountOrFault(amount, currency);
  return typeof read !== 'string' && read.minor === amountMinor;
}
