import { expect, it } from 'vitest';
import { nearMatch } from './near-match.js';

const KNOWN = ['port', 'host', 'deviceType', 'terminalId', 'reference'];

it.each([
  ['prot', 'port'],
  ['Port', 'port'],
  ['device_type', 'deviceType'],
  ['terminal-Id', 'terminalId'],
  ['refrence', 'reference'],
  ['referenz', 'reference'],
  ['hsot', 'host'],
  ['ab', undefined],
  ['colour', undefined],
  ['', undefined],
])('%s means %s', (written, meant) => {
  expect(nearMatch(written, KNOWN)).toBe(meant);
});

it('takes a long name without effort', () => {
  expect(nearMatch('x'.repeat(1_000_000), KNOWN)).toBeUndefined();
});
