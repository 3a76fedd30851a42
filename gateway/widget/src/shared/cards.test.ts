import { describe, expect, it } from 'vitest';
import { candidateBrands, expiryOf, formattedExpiry, grouped, isCardNumber, isIban } from './cards.js';

const ALLOWED = ['VISA', 'MASTER', 'MAESTRO', 'AMEX', 'VPAY'];
const keys = (digits: string, allowed = ALLOWED) => candidateBrands(digits, allowed).map(({ key }) => key);

describe('brands that a number may be of', () => {
  it.each([
    ['', []],
    ['4', ['VISA', 'VPAY']],
    ['5', ['MASTER', 'MAESTRO']],
    ['54', ['MASTER']],
    ['2', ['MASTER']],
    ['2230', ['MASTER']],
    ['2800', []],
    ['37', ['AMEX']],
    ['9', []],
  ])('of %j are %j', (digits, brands) => {
    expect(keys(digits)).toEqual(brands);
  });

  it('come in the order that the shop prefers where the digits leave it open', () => {
    expect(keys('5', ['MAESTRO', 'MASTER'])).toEqual(['MAESTRO', 'MASTER']);
  });
});

describe('a card number', () => {
  it.each([
    ['4200000000000000', true],
    ['4200000000000001', false],
    ['377777777777770', true],
    ['37777777777777', false],
    ['', false],
    ['3541599999092431', false],
  ])('%s is whole and of a brand of the shop: %s', (digits, isGood) => {
    expect(isCardNumber(digits, ALLOWED)).toBe(isGood);
  });

  it('stands in groups as on the card', () => {
    expect(grouped('42000')).toBe('4200 0');
    expect(grouped('377777777777770')).toBe('3777 777777 77770');
    expect(grouped('6799998900000060018')).toBe('6799 9989 0000 0060 018');
  });
});

describe('an expiry date', () => {
  it.each([
    ['12/31', { month: '12', year: '2031' }],
    ['1231', { month: '12', year: '2031' }],
    ['05 / 2031', { month: '05', year: '2031' }],
    ['13/31', undefined],
    ['00/31', undefined],
    ['12/3', undefined],
    ['', undefined],
  ])('%j is read as %j', (text, read) => {
    expect(expiryOf(text)).toEqual(read);
  });

  it.each([
    ['1', false, '1'],
    ['5', false, '05 / '],
    ['12', false, '12 / '],
    ['12', true, '12'],
    ['1231', false, '12 / 31'],
    ['12/2031', false, '12 / 31'],
  ])('%j (deleting: %s) is shown as %j', (text, isDeleting, shown) => {
    expect(formattedExpiry(text, isDeleting)).toBe(shown);
  });
});

describe('an IBAN', () => {
  it.each([
    ['AT61 1904 3002 3457 3201', true],
    ['at611904300234573201', true],
    ['AT611904300234573202', false],
    ['DE23100000001234567890', true],
    ['', false],
  ])('%j has its check digits: %s', (iban, isGood) => {
    expect(isIban(iban)).toBe(isGood);
  });
});
