import { ageText, amountText } from '@tillbridge/panel-kit/format.js';
import { sayWith } from '@tillbridge/panel-kit/words.js';
import { DE } from './de.js';
import { EN, type TextKey, type Texts } from './en.js';
import { ES } from './es.js';
import { FR } from './fr.js';
import { IT } from './it.js';

/** The languages of the console: those of the store panel. */
export const LANGUAGES = { de: DE, en: EN, es: ES, fr: FR, it: IT } as const satisfies Record<string, Texts>;

/** One of {@link LANGUAGES}. */
type Language = keyof typeof LANGUAGES;

let spoken: Language = 'en';

/** The first language that both a person and the console know; English where there is none. `wanted`: tags of BCP 47. */
export function languageOf(wanted: readonly string[]): Language {
  const names = wanted.map((tag) => tag.toLowerCase().split('-')[0] ?? '');
  return names.find((name): name is Language => Object.hasOwn(LANGUAGES, name)) ?? 'en';
}

/** Shows all texts in a language, those of shared components too; before anything is drawn. */
export function speak(language: Language): void {
  spoken = language;
  sayWith(LANGUAGES[language]);
}

/** A text, with values in the place of what stands in braces. */
export function t(key: TextKey, values: Readonly<Record<string, string | number>> = {}): string {
  return LANGUAGES[spoken][key].replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''));
}

/** A decimal amount with its currency as people write it; the dash where there is none. */
export function moneyText(amount: string | undefined, currency: string | undefined): string {
  return amount === undefined || currency === undefined ? '–' : amountText(amount, currency, spoken);
}

/** How long ago a moment was. */
export function ageSince(at: string): string {
  return ageText((Date.now() - Date.parse(at)) / 1_000);
}

/** A moment to the millisecond, in the time zone of the browser: the order of two records can be seen. */
export function preciseText(at: string): string {
  const locale = spoken === 'en' ? 'en-GB' : spoken;
  return new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
  }).format(new Date(at));
}

/** A moment as people write it, in the time zone of the browser. */
export function momentText(at: string): string {
  const locale = spoken === 'en' ? 'en-GB' : spoken;
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(at));
}
