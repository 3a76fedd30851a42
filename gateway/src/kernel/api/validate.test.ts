import { describe, expect, it } from 'vitest';
import { AUTHENTICATION_PARAMETERS } from './catalogue/authentication.js';
import { BASIC_PARAMETERS } from './catalogue/basic.js';
import { CARD_PARAMETERS } from './catalogue/methods/card.js';
import { POS_PARAMETERS } from './catalogue/pos.js';
import { MAX_PARAMETERS, requiredNames, validateParameters } from './validate.js';

const ROWS = [...AUTHENTICATION_PARAMETERS, ...BASIC_PARAMETERS, ...CARD_PARAMETERS, ...POS_PARAMETERS];
const messageFor = (name: string, value: string): string | undefined =>
  validateParameters([[name, value]], ROWS).errors[0]?.message;

describe('catalogue', () => {
  it('has the number of rows that the specification has', () => {
    expect(BASIC_PARAMETERS).toHaveLength(25 + 2);
    expect(CARD_PARAMETERS).toHaveLength(6);
    expect(POS_PARAMETERS).toHaveLength(16);
    expect(new Set(ROWS.map((row) => row.name)).size).toBe(ROWS.length);
  });
});

describe('validateParameters', () => {
  it('gives back what keeps its format', () => {
    const { values, errors } = validateParameters(
      [
        ['amount', '92'],
        ['currency', 'EUR'],
        ['descriptor', ''],
        ['overridePaymentType[VISA]', 'PA'],
      ],
      ROWS,
    );
    expect(errors).toEqual([]);
    expect(values).toEqual(
      new Map([
        ['amount', '92'],
        ['currency', 'EUR'],
        ['overridePaymentType[VISA]', 'PA'],
      ]),
    );
  });

  it('refuses an empty value where the caller requires it, and its format demands characters', () => {
    const sent = [
      ['descriptor', ''],
      ['promotionCode', ''],
      ['nonsense', ''],
    ] as const;
    const { values, errors, sent: names } = validateParameters(sent, ROWS, 'refused');
    expect(errors.map(({ name, message }) => [name, message])).toEqual([
      ['descriptor', 'may not be empty: must have 1 to 127 characters, has 0, or leave it out'],
      ['nonsense', 'is not an allowed parameter'],
    ]);
    expect([values.size, names.size]).toEqual([0, 0]);
  });

  it.each([
    ['amount', '92.0'],
    ['amount', '92,00'],
    ['amount', '12345678901'],
    ['amount', '-1'],
    ['amount', '1.00\n'],
    ['currency', 'eur'],
    ['entityId', '8A8294174B7ECB28014B9699220015CA'],
    ['card.expiryMonth', '13'],
    ['card.expiryYear', '2100x'],
    ['pos.entryMode', 'icc'],
    ['numberOfCaptures', '99'],
    ['numberOfCaptures', '1e1'],
    ['merchantTransactionId', 'short'],
    ['descriptor', 'bell\u0007'],
    ['pos.location.latitude', '123.4'],
  ])('refuses %s=%s', (name, value) => {
    expect(messageFor(name, value)).toMatch(/^must /);
  });

  it('counts characters, not bytes', () => {
    expect(messageFor('merchantTransactionId', '𝕏'.repeat(255))).toBeUndefined();
    expect(messageFor('merchantTransactionId', '𝕏'.repeat(256))).toContain('has 256');
  });

  it('names the wrong parameter and the likely one', () => {
    expect(messageFor('entityID', 'x')).toBe('is not an allowed parameter; did you mean entityId?');
    expect(messageFor('card.numbr', 'x')).toContain('card.number');
    expect(messageFor('colour', 'x')).toBe('is not an allowed parameter');
    expect(messageFor('toString', 'x')).toBe('is not an allowed parameter');
  });

  it('never shows a sensitive value', () => {
    const { errors } = validateParameters([['card.number', '4200 0000 0000 0000']], ROWS);
    expect(errors).toHaveLength(1);
    expect(errors[0]?.value).toBeNull();
  });

  it('shows no card number that stands in the wrong place', () => {
    const shown = (name: string, value: string) =>
      JSON.stringify(validateParameters([[name, value]], ROWS).errors);
    expect(shown('amount', '4200000000000000')).not.toContain('4200000000000000');
    expect(shown('currency', '4200 0000 0000 0000')).not.toContain('0000 0000');
    expect(shown('4200000000000000', 'x')).not.toContain('4200000000000000');
    expect(shown('amount', '92.123')).toContain('"92.123"');
  });

  it('shows ids of ours whole, whatever digits chance gave them', () => {
    const shown = (value: string) => validateParameters([['amount', value]], ROWS).errors[0]?.value;
    // Twelve digits in a row, a whole card number, and digits alone.
    for (const id of ['abcdef123456789012abcdef12345678', 'ab4200000000000000cdefabcdefabcd', '4'.repeat(32)])
      expect(shown(id)).toBe(id);
    // Without its dots it passes as a card number.
    expect(shown('4200.0000.0000')).toBe('4200.0000.0000');
    expect(shown('0000.0000.0000')).toBe('0000.0000.0000');
    expect(shown('4200000000000000d26122011234567f')).not.toContain('4200000000000000');
  });

  it('refuses a repeated name and too many names', () => {
    const repeated: [string, string][] = [
      ['amount', '1.00'],
      ['amount', '2.00'],
    ];
    expect(validateParameters(repeated, ROWS).errors[0]?.message).toContain('more than once');
    const flood = Array.from({ length: MAX_PARAMETERS + 1 }, (): [string, string] => ['amount', '1']);
    expect(validateParameters(flood, ROWS).errors).toHaveLength(1);
  });

  it('names the required rows', () => {
    expect(requiredNames(BASIC_PARAMETERS)).toEqual(['amount', 'currency', 'paymentType']);
  });
});
