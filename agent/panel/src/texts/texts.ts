import { amountText, timeText } from '@tillbridge/panel-kit/format.js';
import { sayWith } from '@tillbridge/panel-kit/words.js';
import { DE } from './de.js';
import { EN, type TextKey, type Texts } from './en.js';
import { ES } from './es.js';
import { FR } from './fr.js';
import { IT } from './it.js';

/** The languages of the panel: those of receipts. */
export const LANGUAGES = { de: DE, en: EN, es: ES, fr: FR, it: IT } as const satisfies Record<string, Texts>;

/** One of {@link LANGUAGES}. */
type Language = keyof typeof LANGUAGES;

let spoken: Language = 'en';

/** The first language that both a person and the panel know; English where there is none. `wanted`: tags of BCP 47. */
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

/** An amount as people write it. */
export function money(amount: string, currency: string): string {
  return amountText(amount, currency, spoken);
}

/** A time of day in a zone. */
export function clockTime(at: string, timeZone: string | undefined): string {
  return timeText(at, timeZone, timeLocale());
}

/** The locale of dates and times: English ones of 24 hours. */
export function timeLocale(): string {
  return spoken === 'en' ? 'en-GB' : spoken;
}

/** A period in the zone of the store. */
export function periodText(since: string, until: string, timeZone: string): string {
  const format = new Intl.DateTimeFormat(timeLocale(), { dateStyle: 'medium', timeStyle: 'short', timeZone });
  const moment = (at: string) => format.format(new Date(at));
  return t('period', { since: moment(since), until: moment(until), zone: timeZone });
}
