import { describe, expect, it } from 'vitest';
import { TEXT_KEYS, TEXT_ROWS } from './table.js';
import { formattedAmount, languageOf } from './texts.js';

/** The locales of the API family (docs/widget.md). */
const FAMILY = 'ar be bg cn cz de da el en es fi fr gr hu it ja ko nl no pl pt ro ru sv sk sl tr'.split(' ');

describe('the texts', () => {
  it.each(Object.entries(TEXT_ROWS))('of %s are complete', (_, row) => {
    const texts = row.split('|');
    expect(texts).toHaveLength(TEXT_KEYS.length);
    expect(texts.every((text) => text.trim() === text && text !== '')).toBe(true);
  });

  it('are there for every locale of the family', () => {
    const english = languageOf('en').texts.pay;
    for (const locale of FAMILY.filter((each) => each !== 'en'))
      expect(languageOf(locale).texts.pay, locale).not.toBe(english);
  });

  it.each([
    ['de', 'de', 'ltr'],
    ['pt-BR', 'pt-BR', 'ltr'],
    ['de_AT', 'de-AT', 'ltr'],
    ['cn', 'zh', 'ltr'],
    ['ar', 'ar', 'rtl'],
    ['xx', 'en-US', 'ltr'],
    [undefined, 'en-US', 'ltr'],
    ['__proto__', 'en-US', 'ltr'],
    ['de-"><script>', 'de', 'ltr'],
  ])('of the locale %j are those of %s', (locale, tag, dir) => {
    expect(languageOf(locale)).toMatchObject({ tag, dir });
  });

  it('may be the shop’s own', () => {
    expect(languageOf('de', { pay: 'Los', cvv: 7 }).texts).toMatchObject({ pay: 'Los', cvv: 'Prüfnummer' });
  });
});

it('an amount is written as the language does; one that it cannot write stays as it came', () => {
  expect(formattedAmount(languageOf('de'), '1234.50', 'EUR')).toBe('1.234,50\u00a0€');
  expect(formattedAmount(languageOf('ja'), '1200.00', 'JPY')).toMatch(/^[¥￥]1,200$/);
  // Browsers write forints without decimals; what is paid is shown.
  expect(formattedAmount(languageOf('en'), '12.34', 'HUF')).toBe('HUF\u00a012.34');
  expect(formattedAmount(languageOf('en'), '12.34', 'KWD')).toBe('KWD\u00a012.340');
  expect(formattedAmount(languageOf('en'), '12.34', 'CLF')).toBe('CLF\u00a012.3400');
  expect(formattedAmount(languageOf('en'), '1.00', '<b>')).toBe('1.00 <b>');
});
