import { expect, test } from 'vitest';
import { findTestCard, TEST_CARDS } from './test-cards.js';

function luhnSum(pan: string): number {
  return [...pan].reverse().reduce((sum, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return sum + (value > 9 ? value - 9 : value);
  }, 0);
}

test('every test PAN passes the Luhn check and is found by itself alone', () => {
  const pans = Object.values(TEST_CARDS).map((card) => card.pan);
  expect(new Set(pans).size).toBe(pans.length);
  for (const pan of pans) {
    expect(luhnSum(pan) % 10).toBe(0);
    expect(findTestCard(pan)?.pan).toBe(pan);
  }
  expect(findTestCard('4200000000000001')).toBeUndefined();
});
