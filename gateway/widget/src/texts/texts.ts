import { TEXT_ALIASES, TEXT_KEYS, TEXT_ROWS } from './table.js';

export type TextKey = (typeof TEXT_KEYS)[number];
export type Texts = Readonly<Record<TextKey, string>>;

/** A language of the widget. */
export interface Language {
  /** For `lang`, and for amounts. */
  readonly tag: string;
  readonly dir: 'ltr' | 'rtl';
  readonly texts: Texts;
}

const DEFAULT_TAG = 'en-US';

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

/**
 * The language that a locale such as `de`, `pt-BR` or `cn` means; English where there is none.
 * @param labels texts of the shop's own, by their keys
 */
export function languageOf(locale: unknown, labels: Readonly<Record<string, unknown>> = {}): Language {
  const wanted = typeof locale === 'string' ? locale.replace('_', '-') : DEFAULT_TAG;
  const [head = ''] = wanted.toLowerCase().split('-');
  const key = TEXT_ALIASES[head] ?? head;
  const row = Object.hasOwn(TEXT_ROWS, key) ? TEXT_ROWS[key] : undefined;
  const values = (row ?? TEXT_ROWS.en ?? '').split('|');
  const texts = Object.fromEntries(
    TEXT_KEYS.map((name, at) => {
      const own = ownText(labels, name);
      return [name, own ?? values[at] ?? ''];
    }),
  ) as Texts;
  const isPlain = row !== undefined && isTag(wanted) && head === key;
  return { tag: isPlain ? wanted : row ? key : DEFAULT_TAG, dir: row && key === 'ar' ? 'rtl' : 'ltr', texts };
}

/** A text of the shop's own, under our name for it or that of the API family. */
export function ownText(texts: Readonly<Record<string, unknown>>, key: TextKey): string | undefined {
  const names = [key, ...(FAMILY_NAMES[key] ?? [])].filter((name) => Object.hasOwn(texts, name));
  const own = names.length > 0 ? texts[names[0] ?? key] : undefined;
  return typeof own === 'string' ? own : undefined;
}

function isTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

/** An amount as the language writes it; as the gateway gave it where the browser knows no such currency. */
export function formattedAmount({ tag }: Language, amount: string, currency: string): string {
  try {
    const style = { style: 'currency', currency } as const;
    const { maximumFractionDigits: own = 2 } = new Intl.NumberFormat(tag, style).resolvedOptions();
    // Browsers write some currencies without their decimals: what is paid is shown.
    const decimals = Number.isInteger(Number(amount)) ? own : Math.max(own, 2);
    return new Intl.NumberFormat(tag, {
      ...style,
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
    }).format(Number(amount));
  } catch {
    return `${amount} ${currency}`;
  }
}
