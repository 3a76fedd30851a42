import { expect, it } from 'vitest';
import { EN } from './en.js';
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
