import { currencyCodes } from '@tillbridge/wire/payment/currency-codes.js';
import { amountOrFault } from '@tillbridge/wire/payment/money.js';
import { type Meaning, mappingOf, ruledText } from './fields.js';
import type { TSchema } from './type.js';

/** Values by ISO 4217 currency. */
export const byCurrency = <T extends TSchema>(value: T, meaning?: Partial<Meaning>) =>
  mappingOf('ISO 4217 codes', currencyCodes(), 'an ISO 4217 code such as EUR', value, meaning);

/** An amount in quotes. Its currency is the key `up` steps above the value. */
export const amountText = (up: 0 | 1) =>
  ruledText('an amount in quotes such as "50.00"', (value, path) => {
    if (typeof value !== 'string') return {};
    const read = amountOrFault(value, path.at(-1 - up) ?? '');
    return typeof read === 'string' ? { problem: `is wrong: ${read}` } : undefined;
  });

/** Minor units; 0 for a text that is no amount of the currency. */
export function minorOf(value: unknown, currency: string): number {
  const read = typeof value === 'string' ? amountOrFault(value, currency) : '';
  return typeof read === 'string' ? 0 : read.minor;
}

/** Minor units by currency of amounts that were checked. */
export function minorByCurrency(
  amounts: Readonly<Record<string, string>> = {},
): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(amounts).map(([currency, text]) => [currency, minorOf(text, currency)]),
  );
}
