import { expect, it } from 'vitest';
import { brandOfAid } from './brand-of-aid.js';
import { findBrand } from './brands.js';

it.each([
  ['A0000000031010', 'VISA'],
  ['A0000000041010', 'MASTER'],
  ['A0000000043060', 'MAESTRO'],
  ['A00000002501', 'AMEX'],
  ['A0000001523010', 'DISCOVER'],
  ['A0000000651010', 'JCB'],
])('knows the brand of %s by the key of the API', (aid, brand) => {
  expect(brandOfAid(aid)).toBe(brand);
  expect(findBrand(brand)?.key).toBe(brand);
});

it('knows no brand of an application of another company', () => {
  expect(brandOfAid('A0000003591010')).toBeUndefined();
  expect(brandOfAid('')).toBeUndefined();
});
