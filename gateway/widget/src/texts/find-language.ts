import { shopperLocale } from '@tillbridge/wire/shopper/shopper-language.js';
import { TEXT_KEYS, TEXT_ROWS } from './table.js';
import type { Language, Texts } from './texts.js';

/** The texts of the language that a locale such as `de`, `pt-BR` or `cn` means; English where there are none. */
export function findLanguage(locale: unknown): Language {
  const { language, tag, dir } = shopperLocale(locale);
  const values = TEXT_ROWS[language].split('|');
  const texts = Object.fromEntries(TEXT_KEYS.map((key, at) => [key, values[at] ?? ''])) as Texts;
  return { tag, dir, texts };
}
