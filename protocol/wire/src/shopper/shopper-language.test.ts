import { expect, it } from 'vitest';
import { acceptedLocale, findShopperLocale, shopperLocale } from './shopper-language.js';

it.each([
  ['de', 'de', 'ltr'],
  ['pt-BR', 'pt-BR', 'ltr'],
  ['de_AT', 'de-AT', 'ltr'],
  ['cn', 'zh', 'ltr'],
  ['nb-NO', 'no', 'ltr'],
  ['ar', 'ar', 'rtl'],
  ['xx', 'en-US', 'ltr'],
  [undefined, 'en-US', 'ltr'],
  ['__proto__', 'en-US', 'ltr'],
  ['constructor', 'en-US', 'ltr'],
  ['de-"><script>', 'de', 'ltr'],
])('the locale %j means %s', (locale, tag, dir) => {
  expect(shopperLocale(locale)).toMatchObject({ tag, dir });
});

it.each([
  ['de-AT,en;q=0.5', 'de-AT'],
  ['xx, fr;q=0.9', 'fr'],
  [`${'xx,'.repeat(10)}de`, 'en-US'],
  ['*', 'en-US'],
  [undefined, 'en-US'],
])('a browser that accepts %j reads %s', (accepted, tag) => {
  expect(acceptedLocale(accepted).tag).toBe(tag);
});

it('a locale without texts is none', () => {
  expect(findShopperLocale('xx')).toBeUndefined();
  expect(findShopperLocale('toString')).toBeUndefined();
});
