import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { passesLuhn } from '../mask/luhn.js';
import { isPublishedTestCard } from './published-test-cards.js';
import { TEST_CARDS } from './test-cards.js';

describe('isPublishedTestCard', () => {
  it('knows every card of the simulator', () => {
    for (const { pan } of Object.values(TEST_CARDS)) expect(isPublishedTestCard(pan), pan).toBe(true);
  });

  it.each(['4111111111111111', '4012001037461114', '6799998900000060018', '371449635398431'])(
    'knows %s',
    (pan) => expect(isPublishedTestCard(pan)).toBe(true),
  );

  it.each(['4539578763621486', '4200000000000001', '411111111111111', ''])('does not know %s', (pan) =>
    expect(isPublishedTestCard(pan)).toBe(false),
  );

  it('has numbers that pass for card numbers, each with a right check digit', () => {
    const files = ['./published-test-cards.ts', './authentication-test-cards.ts'];
    const source = files.map((file) => readFileSync(new URL(file, import.meta.url), 'utf8')).join();
    const numbers = [...source.matchAll(/\b\d{12,}\b/g)].map(([number]) => number);
    expect(numbers.length).toBeGreaterThan(75);
    for (const number of numbers) expect(number).toMatch(/^\d{14,19}$/);
    expect(numbers.filter((number) => !passesLuhn(number))).toEqual([]);
  });
});
