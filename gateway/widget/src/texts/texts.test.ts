import { describe, expect, it } from 'vitest';
import { findLanguage } from './find-language.js';
import { TEXT_KEYS, TEXT_ROWS } from './table.js';
import { withOwnTexts } from './texts.js';

/** The locales of the API family (docs/widget.md). */
const FAMILY = 'ar be bg cn cz de da el en es fi fr gr hu it ja ko nl no pl pt ro ru sv sk sl tr'.split(' ');

describe('the texts', () => {
  it.each(Object.entries(TEXT_ROWS))('of %s are complete', (_, row) => {
    const texts = row.split('|');
    expect(texts).toHaveLength(TEXT_KEYS.length);
    expect(texts.every((text) => text.trim() === text && text !== '')).toBe(true);
    expect(texts[TEXT_KEYS.indexOf('pay')]).toContain('{amount}');
  });

  it('are there for every locale of the family', () => {
    const english = findLanguage('en').texts.pay;
    for (const locale of FAMILY.filter((each) => each !== 'en'))
      expect(findLanguage(locale).texts.pay, locale).not.toBe(english);
  });

  it('of an unknown locale are English', () => {
    expect(findLanguage('xx')).toMatchObject({ tag: 'en-US', texts: { save: 'Save' } });
  });

  it('may be the shop’s own', () => {
    const { texts } = withOwnTexts(findLanguage('de'), { pay: 'Los', cvv: 7 });
    expect(texts).toMatchObject({ pay: 'Los', cvv: 'Prüfnummer' });
  });
});
