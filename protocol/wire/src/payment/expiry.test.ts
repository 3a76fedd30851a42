import { expect, it } from 'vitest';
import { isExpired } from './expiry.js';

it('keeps a card to the last moment of its month', () => {
  const card = { expiryMonth: '12', expiryYear: '2026' };
  expect(isExpired(card, Date.UTC(2026, 11, 31, 23, 59, 59, 999))).toBe(false);
  expect(isExpired(card, Date.UTC(2027, 0, 1))).toBe(true);
});
