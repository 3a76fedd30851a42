import { generateKeyPairSync } from 'node:crypto';
import { expect, it } from 'vitest';
import { ARRIVAL_HEADER, arrivalHeaders, isArrivalOf, readArrival } from './arrival.js';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const textOf = (agentId: string): string => arrivalHeaders(agentId, privateKey)[ARRIVAL_HEADER] ?? '';

it('names the agent whose key made it', () => {
  const arrival = readArrival(textOf('store.7'));
  expect(arrival?.agentId).toBe('store.7');
  expect(arrival && isArrivalOf(arrival, publicKey)).toBe(true);
  expect(textOf('store.7')).toBe(textOf('store.7'));
});

it('is no signature of another agent, or under another key', () => {
  const arrival = readArrival(textOf('store.7').replace('store.7', 'store.8'));
  expect(arrival && isArrivalOf(arrival, publicKey)).toBe(false);
  const own = readArrival(textOf('store.7'));
  expect(own && isArrivalOf(own, generateKeyPairSync('ed25519').publicKey)).toBe(false);
});

it.each(['', 'store', 'store.', `.${'A'.repeat(86)}`, `store.${'A'.repeat(85)}`, `a b.${'A'.repeat(86)}`])(
  'is not "%s"',
  (text) => {
    expect(readArrival(text)).toBeUndefined();
  },
);
