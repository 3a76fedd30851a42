import { expect, it } from 'vitest';
import { describeMti, isRepeat, isResponse } from './mti.js';

it.each([
  ['0100', '0110'],
  ['0101', '0110'],
  ['0120', '0130'],
  ['0420', '0430'],
  ['0421', '0430'],
  ['0800', '0810'],
  ['1804', '1814'],
  ['2805', '2814'],
])('%s is answered by %s', (request, response) => {
  expect([isResponse(request), isResponse(response)]).toEqual([false, true]);
});

it('recognizes a repeat', () => {
  expect([isRepeat('0420'), isRepeat('0421')]).toEqual([false, true]);
});

it('names the kind of a type', () => {
  expect(describeMti('0421')).toBe('reversal or chargeback, advice, from acquirer, repeat (ISO 8583:1987)');
  expect(describeMti('1210')).toContain('1993');
  expect(describeMti('2814')).toContain('network management, response to a request, from other');
  expect(['3100', '0000', '0180', '0106', '010', 'abcd'].map(describeMti)).toEqual(Array(6).fill(undefined));
});
