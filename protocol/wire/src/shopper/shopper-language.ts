/** Languages in which shoppers are addressed, by their ISO 639-1 codes. */
export const SHOPPER_LANGUAGES = [
  'en',
  'de',
  'fr',
  'es',
  'it',
  'pt',
  'nl',
  'da',
  'sv',
  'no',
  'fi',
  'pl',
  'cs',
  'sk',
  'sl',
  'hu',
  'ro',
  'tr',
  'el',
  'bg',
  'ru',
  'be',
  'ar',
  'zh',
  'ja',
  'ko',
] as const;

export type ShopperLanguage = (typeof SHOPPER_LANGUAGES)[number];

/** Which texts a locale means, and how the rest is written. */
export interface ShopperLocale {
  readonly language: ShopperLanguage;
  /** BCP 47: for `lang`, and for amounts, dates and countries. */
  readonly tag: string;
  readonly dir: 'ltr' | 'rtl';
}

/** Codes that name a language or a country in the API family, and the language that they mean. */
const ALIASES: Readonly<Record<string, ShopperLanguage>> = {
  cn: 'zh',
  cz: 'cs',
  gr: 'el',
  nb: 'no',
  nn: 'no',
};

const DEFAULT_LOCALE: ShopperLocale = { language: 'en', tag: 'en-US', dir: 'ltr' };

/** The language that a locale such as `de`, `pt-BR`, `de_AT` or `cn` means; undefined where there are no texts of it. */
export function findShopperLocale(locale: unknown): ShopperLocale | undefined {
  if (typeof locale !== 'string') return undefined;
  const wanted = locale.replace('_', '-');
  const [head = ''] = wanted.toLowerCase().split('-');
  const language = SHOPPER_LANGUAGES.find(
    (each) => each === (Object.hasOwn(ALIASES, head) ? ALIASES[head] : head),
  );
  if (!language) return undefined;
  const tag = head === language && isTag(wanted) ? wanted : language;
  return { language, tag, dir: language === 'ar' ? 'rtl' : 'ltr' };
}

/** The same, English where there are no texts. */
export function shopperLocale(locale: unknown): ShopperLocale {
  return findShopperLocale(locale) ?? DEFAULT_LOCALE;
}

/** Languages of a browser that are looked at. */
const MAX_ACCEPTED = 10;

/** The first language of a browser that there are texts of, English without one. @param accepted the header Accept-Language (RFC 9110 §12.5.4), in its order */
export function acceptedLocale(accepted: string | undefined): ShopperLocale {
  for (const range of (accepted ?? '').split(',', MAX_ACCEPTED)) {
    const found = findShopperLocale(range.split(';', 1)[0]?.trim());
    if (found) return found;
  }
  return DEFAULT_LOCALE;
}

function isTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}
