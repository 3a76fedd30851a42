import { describe, expect, it } from 'vitest';
import { BRANDS, belongsTo, detectBrand, findBrand } from './brands.js';
import { TEST_CARDS } from './test-cards.js';

describe('brands', () => {
  it.each([
    ['4200000000000000', 'VISA'],
    ['5454545454545454', 'MASTER'],
    ['2223000048400011', 'MASTER'],
    ['377777777777770', 'AMEX'],
    ['36961903000009', 'DINERS'],
    ['30082246403846', 'DINERS'],
    ['6011587918359498', 'DISCOVER'],
    ['3541599999092431', 'JCB'],
    ['6799851000000032', 'MAESTRO'],
    ['5019717010103742', 'DANKORT'],
    ['6062825624254001', 'HIPERCARD'],
    ['4917300800000000', 'VISA'],
    ['5555555555554444', 'MASTER'],
  ])('detects %s as %s', (pan, key) => {
    expect(detectBrand(pan)?.key).toBe(key);
  });

  it.each([
    ['VISAELECTRON', '4917300800000000'],
    ['VPAY', '4822000000000000003'],
    ['CARTEBLEUE', '5555555555554444'],
    ['ASYACARD', '4022751585445574'],
    ['BONUS', '4090700500869563'],
    ['AXESS', '4200000000000000'],
    ['WORLD', '4200000000000000'],
  ])('lets a request name %s for %s', (key, pan) => {
    const brand = findBrand(key);
    expect(brand && belongsTo(brand, pan)).toBe(true);
  });

  it('detects every test card as its table states', () => {
    for (const card of Object.values(TEST_CARDS)) expect(detectBrand(card.pan)?.key).toBe(card.brand);
  });

  it('knows no brand for other ranges and lengths', () => {
    expect(detectBrand('9999999999999999')).toBeUndefined();
    expect(detectBrand('420000000000000')).toBeUndefined();
    expect(detectBrand('')).toBeUndefined();
  });

  it('decides whether a number belongs to a brand', () => {
    const visa = findBrand('VISA');
    expect(visa && belongsTo(visa, '4200000000000000')).toBe(true);
    expect(visa && belongsTo(visa, '5454545454545454')).toBe(false);
    expect(findBrand('visa')).toBeUndefined();
  });

  it('has ranges whose ends fit each other', () => {
    for (const { ranges } of BRANDS) {
      for (const [from, to] of ranges) expect(from.length === to.length && from <= to).toBe(true);
    }
  });
});
