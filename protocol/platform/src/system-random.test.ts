import { expect, test } from 'vitest';
import { systemRandom } from './system-random.js';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

test('gives as many bytes as requested, never the same ones again', () => {
  const given = new Set<string>();
  for (let call = 0; call < 5_000; call += 1) {
    const bytes = systemRandom.bytes(10 + (call % 70));
    expect(bytes).toHaveLength(10 + (call % 70));
    given.add(hex(bytes).slice(0, 20));
  }
  expect(given.size).toBe(5_000);
});

test('gives bytes that later calls leave alone', () => {
  const first = systemRandom.bytes(16);
  const before = hex(first);
  for (let call = 0; call < 1_000; call += 1) systemRandom.bytes(16);
  expect(hex(first)).toBe(before);
  expect(new Set(first).size).toBeGreaterThan(1);
});
