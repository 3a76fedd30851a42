import type { Method } from '../shared/checkout.js';
import { brandMark, brandName } from '../shared/marks.js';
import type { TextKey } from '../texts/texts.js';
import type { FormContext } from './context.js';

/** Methods whose names are words, not brands. */
const WORDS: Readonly<Record<string, TextKey>> = {
  DIRECTDEBIT: 'directDebit',
  DIRECTDEBIT_SEPA: 'sepaDebit',
  PREPAYMENT: 'bankTransfer',
  GIFTCARD: 'giftCard',
};

/** Name of a method as a shopper knows it. A simulated wallet is marked as such. */
export function methodName(
  { checkout, language: { texts } }: FormContext,
  { brand, kind, shownAs = brand }: Method,
): string {
  const key = Object.hasOwn(WORDS, brand) ? WORDS[brand] : undefined;
  const name = key ? texts[key] : brandName(shownAs);
  return kind === 'wallet' && checkout.mode === 'test' ? `${name} (${texts.test})` : name;
}

/** Mark of a method, in the language where its name is a word. */
export function methodMark({ language: { texts } }: FormContext, brand: string): SVGElement {
  const key = brand !== 'DIRECTDEBIT_SEPA' && Object.hasOwn(WORDS, brand) ? WORDS[brand] : undefined;
  return brandMark(brand, key && texts[key]);
}
