import { expect, it } from 'vitest';
import { EN } from './en.js';
import { PAGES_EN } from './pages/en.js';
import { LANGUAGES, languageOf, speak, t } from './texts.js';

const placeholders = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).sort();

it.each(Object.entries(LANGUAGES))('has every text, with the same values: %s', (_language, texts) => {
  expect(Object.keys(texts).sort()).toEqual(Object.keys(EN).sort());
  for (const [key, text] of Object.entries(EN)) {
    const other = texts[key as keyof typeof EN];
    expect([key, other.trim() !== '', placeholders(other)]).toEqual([key, true, placeholders(text)]);
  }
});

it('speaks the first language that it knows', () => {
  expect([languageOf(['pl', 'de-AT', 'fr']), languageOf(['pl']), languageOf([])]).toEqual(['de', 'en', 'en']);
  speak('de');
  expect(t('signOut')).toBe('Abmelden');
  speak('en');
  expect(t('actingFor')).toBe('Merchant or channel');
});

it.each([
  ['de', 0],
  ['es', Object.keys(PAGES_EN).length],
  ['fr', Object.keys(PAGES_EN).length],
  ['it', Object.keys(PAGES_EN).length],
] as const)('has so many texts that are in English still: %s', (language, count) => {
  const inEnglish = Object.entries(PAGES_EN).filter(([key, text]) => {
    const isWord = /^[\w {}():-]{1,20}$/.test(text);
    return LANGUAGES[language][key as keyof typeof EN] === text && (language !== 'de' || !isWord);
  });
  expect(inEnglish).toHaveLength(count);
});
