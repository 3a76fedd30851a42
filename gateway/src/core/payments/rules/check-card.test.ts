import { describe, expect, it } from 'vitest';
import { checkCard, refusedCard } from './check-card.js';
import type { CardData } from './requests.js';

const NOW_MS = Date.UTC(2026, 10, 20, 12);
const VISA = '4200000000000000';
const typed = (more: Partial<CardData> = {}): CardData =>
  ({ number: VISA, expiryMonth: '12', expiryYear: '2031', ...more }) as CardData;
const refused = (resultCode: string, name?: string) => ({
  ok: false,
  resultCode,
  ...(name && { name }),
});

describe('a card that was typed', () => {
  const check = (pan: string, brand?: string, card: Partial<CardData> = {}) =>
    checkCard({ pan, brand, typed: typed(card) }, NOW_MS);

  it('has the brand of its number, or the one that was named', () => {
    expect(check(VISA)).toEqual({ ok: true, brand: 'VISA' });
    expect(check(VISA, 'VISA')).toEqual({ ok: true, brand: 'VISA' });
  });

  it('has a check digit', () => {
    expect(check('4200000000000001')).toEqual(refused('100.100.101', 'card.number'));
  });

  it('has a brand that is known, and belongs to its number', () => {
    expect(check(VISA, 'NOBRAND')).toEqual(refused('100.100.501', 'paymentBrand'));
    expect(check(VISA, 'MASTER')).toEqual(refused('100.100.700', 'paymentBrand'));
    expect(check('0000000000000000')).toEqual(refused('100.100.500', 'paymentBrand'));
  });

  it('is valid to the last day of its month', () => {
    expect(check(VISA, undefined, { expiryMonth: '11', expiryYear: '2026' })).toMatchObject({ ok: true });
    expect(check(VISA, undefined, { expiryMonth: '10', expiryYear: '2026' })).toEqual(
      refused('100.100.303', 'card.expiryYear'),
    );
  });

  it('has a verification value of the length of its brand, or none', () => {
    expect(check(VISA, undefined, { cvv: '123' })).toMatchObject({ ok: true });
    expect(check(VISA, undefined, { cvv: '1234' })).toEqual(refused('100.100.601', 'card.cvv'));
    expect(check('374500262001008', undefined, { cvv: '1234' })).toMatchObject({ ok: true, brand: 'AMEX' });
  });
});

describe('a card that a terminal has read', () => {
  const check = (pan: string, brand?: string) => checkCard({ pan, brand }, NOW_MS);

  it('may be of no known brand', () => {
    expect(check(VISA)).toEqual({ ok: true, brand: 'VISA' });
    expect(check('0000000000000000')).toEqual({ ok: true, brand: null });
  });

  it('is refused without naming a field, where the number is wrong', () => {
    expect(check('4200000000000001')).toEqual(refused('100.100.101'));
    expect(check(VISA, 'MASTER')).toEqual(refused('100.100.700', 'paymentBrand'));
  });
});

it('names the parameter at fault, or the code alone', () => {
  expect(refusedCard({ ok: false, resultCode: '100.100.303', name: 'card.expiryYear' })).toEqual({
    code: '100.100.303',
    name: 'card.expiryYear',
  });
  expect(refusedCard({ ok: false, resultCode: '100.100.101' })).toBe('100.100.101');
});
