import { afterEach, describe, expect, it } from 'vitest';
import { EN, type TextKey } from './en.js';
import { clockTime, LANGUAGES, languageOf, money, speak, t } from './texts.js';

const KEYS = Object.keys(EN) as readonly TextKey[];
const valuesIn = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort().join();

/** Words that other languages have from English, or share with it. */
const SHARED = [
  'terminals',
  'terminal',
  'terminal {id}',
  'pin',
  'offline',
  'code',
  'messages',
  'application',
  'net',
];

describe('the texts of the panel', () => {
  afterEach(() => speak('en'));

  it.each(Object.entries(LANGUAGES))('put the same values into each text: %s', (_name, texts) => {
    expect(KEYS.filter((key) => valuesIn(texts[key]) !== valuesIn(EN[key]))).toEqual([]);
    expect(KEYS.filter((key) => texts[key].trim() === '')).toEqual([]);
  });

  it.each(Object.entries(LANGUAGES).filter(([name]) => name !== 'en'))(
    'are English in no other language: %s',
    (_name, texts) => {
      const words = (text: string) => /\p{L}{2}/u.test(text.replace(/\{\w+\}/g, ''));
      const same = KEYS.filter((key) => texts[key] === EN[key] && words(EN[key]));
      expect(same.map((key) => texts[key]).filter((text) => !SHARED.includes(text.toLowerCase()))).toEqual(
        [],
      );
    },
  );

  it('are those of the first language that the browser wants and the panel has', () => {
    expect([['pt-BR', 'de-AT', 'fr'], ['IT'], ['pt'], [], ['constructor']].map(languageOf)).toEqual([
      'de',
      'it',
      'en',
      'en',
      'en',
    ]);
  });

  it('write amounts and times as the language does', () => {
    speak('de');
    expect(t('approvedAnswer', { amount: money('1234.50', 'EUR') }).replace(/\s/g, ' ')).toBe(
      'Genehmigt: 1.234,50 €.',
    );
    expect(clockTime('2026-11-23T11:05:09Z', 'Europe/Berlin')).toBe('12:05:09');
  });

  it('take values as they are', () => {
    expect(t('receiptOf', { reference: '{amount} $& <b>' })).toBe('Receipt of {amount} $& <b>');
  });
});
