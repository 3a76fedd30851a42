import { expect, it } from 'vitest';
import { filled, PAGE_TEXT_KEYS, PAGE_TEXT_ROWS, pageTexts } from './page-texts.js';

const valuesIn = (text: string) => (text.match(/\{\w+\}/g) ?? []).join();

it.each(Object.entries(PAGE_TEXT_ROWS))(
  'the texts of pages in %s are complete, with the same values',
  (_, row) => {
    const texts = row.split('|');
    expect(texts).toHaveLength(PAGE_TEXT_KEYS.length);
    expect(texts.every((text) => text.trim() === text && text !== '')).toBe(true);
    const english = PAGE_TEXT_ROWS.en.split('|');
    expect(texts.map(valuesIn)).toEqual(english.map(valuesIn));
  },
);

it('a value stands in the place of its name as it is', () => {
  expect(filled(pageTexts('de').enterCode, { code: '{code} $&' })).toBe('Geben Sie den Code {code} $& ein.');
});
