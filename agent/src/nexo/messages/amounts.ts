import { currencyNumber } from '@tillbridge/wire/payment/currency-codes.js';
import { amountOrFault, formatAmount, type Money } from '@tillbridge/wire/payment/money.js';
import type { Fields } from './fields.js';
import { NexoError } from './nexo-error.js';

/**
 * An amount that a message gives as a number in major units.
 * @throws NexoError `bad-field` where it is none of its currency, or not above zero
 */
export function readAmount(fields: Fields, name: string, currency: string): Money {
  const value = fields.get(name);
  const text = typeof value === 'number' ? String(value) : '';
  const refuse = (rule: string) => new NexoError('bad-field', `${fields.path}.${name} ${rule}`);
  // A number has no zero at its end: 12.3 is 12.30.
  const money = amountOrFault(/\.\d$/.test(text) ? `${text}0` : text, currency);
  if (typeof money === 'string') throw refuse(`must be a number: ${money}`);
  if (money.minor > 0) return money;
  throw refuse('must be above zero');
}

/** A currency of ISO 4217. @throws NexoError `bad-field` */
export function readCurrency(fields: Fields, name: string): string {
  const currency = fields.text(name, /^[A-Z]{3}$/, CURRENCY_RULE);
  if (currencyNumber(currency) !== undefined) return currency;
  throw new NexoError('bad-field', `${fields.path}.${name} must be ${CURRENCY_RULE}`);
}

const CURRENCY_RULE = 'an ISO 4217 code such as EUR';

/** An amount as the number in major units that a message carries. */
export function majorUnits(amount: Money): number {
  return Number(formatAmount(amount));
}
