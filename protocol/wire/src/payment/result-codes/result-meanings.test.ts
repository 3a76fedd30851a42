import { describe, expect, it } from 'vitest';
import { isPending, isSuccess } from './result-classes.js';
import { resultCodePage } from './result-code-page.js';
import { RESULT_CODE_TABLE } from './result-code-table.js';
import { MEANING_BY_CODE, resultMeaning } from './result-meanings.js';

const CODES = Object.keys(RESULT_CODE_TABLE);

describe('meanings of result codes', () => {
  it('never calls a code paid or pending that the published patterns read otherwise, nor the reverse', () => {
    for (const code of CODES.filter((code) => !MEANING_BY_CODE.has(code))) {
      expect(resultMeaning(code).meaning === 'paid', code).toBe(isSuccess(code) || /^000\.500\./.test(code));
      expect(resultMeaning(code).meaning === 'pending', code).toBe(isPending(code));
    }
  });

  it.each([
    ['000.100.110', 'paid'],
    ['000.400.000', 'paid'],
    ['000.500.000', 'paid'],
    ['000.200.000', 'pending'],
    ['800.400.500', 'pending'],
    ['800.100.151', 'refused'],
    ['000.400.030', 'refused'],
    ['100.396.101', 'refused'],
    ['200.300.404', 'refused'],
    ['300.100.100', 'try again'],
    ['800.120.100', 'try again'],
    ['900.100.300', 'try again'],
    ['999.999.999', 'try again'],
    ['000.100.220', 'charged back'],
    // Outside the catalogue: by the patterns, as a client reads it.
    ['800.100.999', 'refused'],
    ['000.100.199', 'paid'],
    ['123.456.789', 'refused'],
  ])('reads %s as %s', (code, meaning) => {
    expect(resultMeaning(code).meaning).toBe(meaning);
  });

  it('has a row in the page for every code', () => {
    const page = resultCodePage();
    for (const code of CODES)
      expect(page, code).toContain(`| \`${code}\` | ${resultMeaning(code).meaning} |`);
  });
});
