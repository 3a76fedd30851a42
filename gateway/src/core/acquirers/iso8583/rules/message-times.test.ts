import { expect, it } from 'vitest';
import { retrievalReference, utcMsOf } from './message-times.js';

it('reads the time of a message in UTC', () => {
  expect(utcMsOf('20261123072205')).toBe(Date.UTC(2026, 10, 23, 7, 22, 5));
});

it.each([
  ['000001', '20260101072200', '600107000001'],
  ['000001', '20261231232200', '636523000001'],
  ['123456', '20281231002200', '836600123456'],
  ['123456', '20260209002200', '604000123456'],
])('makes of %s at %s the reference %s', (stan, at, reference) => {
  expect(retrievalReference(stan, at)).toBe(reference);
});
