import type { ShopperLocale } from '@tillbridge/wire/shopper/shopper-language.js';
import type { TEXT_KEYS } from './table.js';

export type TextKey = (typeof TEXT_KEYS)[number];
export type Texts = Readonly<Record<TextKey, string>>;

/** A language of the widget. */
export interface Language extends Pick<ShopperLocale, 'tag' | 'dir'> {
  readonly texts: Texts;
}

/** Names under which shops of the API family set texts, where they differ from ours. */
const FAMILY_NAMES: Readonly<Partial<Record<TextKey, readonly string[]>>> = {
  pay: ['submit'],
  save: ['submit'],
  otherMethods: ['showOtherPaymentMethods'],
  iban: ['accountIban'],
  bankCode: ['accountBank'],
  street: ['street1'],
  houseNumber: ['houseNumber1'],
  expiryError: ['expiryMonthError', 'expiryYearError'],
  ibanError: ['accountIbanError'],
};

/** A language with texts of the shop's own in place of ours. @param labels by their keys */
export function withOwnTexts(language: Language, labels: Readonly<Record<string, unknown>> = {}): Language {
  const texts = Object.fromEntries(
    Object.entries(language.texts).map(([key, text]) => [key, ownText(labels, key as TextKey) ?? text]),
  ) as Texts;
  return { ...language, texts };
}

/** A text of the shop's own, under our name for it or that of the API family. */
export function ownText(texts: Readonly<Record<string, unknown>>, key: TextKey): string | undefined {
  const names = [key, ...(FAMILY_NAMES[key] ?? [])].filter((name) => Object.hasOwn(texts, name));
  const own = names.length > 0 ? texts[names[0] ?? key] : undefined;
  return typeof own === 'string' ? own : undefined;
}
