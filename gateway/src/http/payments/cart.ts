import type { ParameterValues } from '@tillbridge/protocol/api/catalogue/sections.js';
import type { ParameterError } from '@tillbridge/protocol/api/validate.js';
import { formatAmount, parseAmount } from '@tillbridge/protocol/payment/money.js';
import { paysForPart } from '../../payments/cart/cart-payments.js';
import { isSameMerchant } from '../../payments/flow/find-target.js';
import type { PaymentRow } from '../../store/rows.js';
import type { Store } from '../../store/store.js';
import { invalidParameters } from '../request/envelope.js';

const TYPE = /^(cart\.payments\[\d+\]\.)type$/;

/**
 * Ids of the gift-card payments that a payment names as parts of its order (spec 2.6); undefined without one. They are of the same merchant,
 * and whole.
 * @throws RequestRefused that names each fault; StoreUnavailableError
 */
export async function cartOf(
  store: Store,
  values: ParameterValues,
  entityId: string,
): Promise<readonly string[] | undefined> {
  const errors: ParameterError[] = [];
  for (const prefix of giftCardsIn(values)) {
    const id = values.get(`${prefix}name`) ?? '';
    const payment = await store.get('payments', [id]);
    const isOwn = payment && (await isSameMerchant(store, payment.entityId, entityId));
    if (isOwn && paysForPart(payment)) errors.push(...differences(values, prefix, payment));
    else
      errors.push({
        name: `${prefix}name`,
        value: id,
        message: 'must be the id of a gift-card payment of which nothing was given back',
      });
  }
  if (errors.length > 0) throw invalidParameters(errors);
  return cartIds(values);
}

/** The same ids without a look at the payments; undefined without one. */
export function cartIds(values: ParameterValues): readonly string[] | undefined {
  const ids = giftCardsIn(values).map((prefix) => values.get(`${prefix}name`) ?? '');
  return ids.length > 0 ? ids : undefined;
}

/** Beginnings of the names of each gift-card payment. */
function giftCardsIn(values: ParameterValues): readonly string[] {
  return [...values].flatMap(([name, value]) => {
    const prefix = TYPE.exec(name)?.[1];
    return prefix === undefined || value !== 'GIFTCARD' ? [] : [prefix];
  });
}

/** What is said of a payment, and is not so. */
function differences(values: ParameterValues, prefix: string, payment: PaymentRow): ParameterError[] {
  const { amountMinor: minor, currency, brand } = payment;
  const amount = values.get(`${prefix}amount`);
  const said: readonly [name: string, holds: boolean, is: string | null][] = [
    ['amount', amount === undefined || isAmount(amount, payment), formatAmount({ minor, currency })],
    ['currency', (values.get(`${prefix}currency`) ?? currency) === currency, currency],
    ['brand', (values.get(`${prefix}brand`) ?? brand) === brand, brand],
  ];
  return said
    .filter(([, holds]) => !holds)
    .map(([name, , is]) => ({
      name: prefix + name,
      value: values.get(prefix + name) ?? null,
      message: `must be that of the payment, ${is}`,
    }));
}

function isAmount(amount: string, { amountMinor, currency }: PaymentRow): boolean {
  try {
    return parseAmount(amount, currency).minor === amountMinor;
  } catch {
    return false;
  }
}
