import { minorDigits } from '@tillbridge/wire/payment/minor-digits.js';
import { hundredthsOf } from '@tillbridge/wire/payment/money.js';
import type { ParameterError } from '../validate.js';
import { type RuleFacts, wrong } from './rule.js';

/** Hundredths of a parameter that is an amount; undefined where it was not sent, or is a text of another form. */
export function amountIn({ values }: Pick<RuleFacts, 'values'>, name: string): bigint | undefined {
  const hundredths = hundredthsOf(values.get(name) ?? '');
  return hundredths === undefined ? undefined : BigInt(hundredths);
}

/** Hundredths as the API writes them. */
function amountOf(hundredths: bigint): string {
  const figures = String(hundredths).padStart(3, '0');
  return `${figures.slice(0, -2)}.${figures.slice(-2)}`;
}

/** The smallest amount that is written in a currency, in hundredths: 1, or 100 where it has no minor unit. */
export function smallestWritten(currency: string | undefined): bigint {
  return currency !== undefined && minorDigits(currency) === 0 ? 100n : 1n;
}

/** An error about an amount that is not what others make it: its rule, and the value that is expected. */
export function notThe(facts: RuleFacts, name: string, rule: string, expected: bigint): ParameterError {
  return wrong(facts, name, `must ${rule}: ${amountOf(expected)}`);
}

/** The fields of list items by the beginning of their names: `cart.items[0].price` is `price` of `cart.items[0].`. */
export function itemsOf({ values }: Pick<RuleFacts, 'values'>, item: RegExp): ReadonlySet<string> {
  const found = new Set<string>();
  for (const name of values.keys()) {
    const [prefix] = item.exec(name) ?? [];
    if (prefix !== undefined) found.add(prefix);
  }
  return found;
}
