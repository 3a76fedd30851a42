import { describe, expect, it } from 'vitest';
import { approvedMinor, approves, decides, stored } from './exchange-record.js';
import { answerOf, exchange } from './exchange-record.test.support.js';

const euros = (minor: number) => ({ minor, currency: 'EUR' });

it('stores a message without card data', () => {
  const message = { ...answerOf('00'), pan: '4200000000000000', details: 'x', rrn: '123' };
  expect(stored(message)).toEqual({ ...answerOf('00'), rrn: '123' });
  expect(message.pan).toBe('4200000000000000');
});

it.each([
  ['00', true],
  ['08', true],
  ['10', true],
  ['51', false],
  [undefined, false],
])('the response code %s approves: %s', (responseCode, is) => {
  expect(approves({ ...(responseCode && { responseCode }) })).toBe(is);
});

describe('an answer decides', () => {
  const request = { amount: euros(100) };
  it.each([
    ['a decline', { responseCode: '51', amount: euros(1) }, request, true],
    ['none without a response code', {}, request, false],
    ['an approval without an amount', { responseCode: '00' }, request, true],
    ['an approval of the amount', { responseCode: '00', amount: euros(100) }, request, true],
    ['none of another amount', { responseCode: '00', amount: euros(99) }, request, false],
    [
      'none in another currency',
      { responseCode: '00', amount: { minor: 100, currency: 'USD' } },
      request,
      false,
    ],
    ['an approval of a request without an amount', { responseCode: '00', amount: euros(1) }, {}, true],
    ['an approval of what is not known', { responseCode: '00' }, undefined, true],
    ['none of a part that was not allowed', { responseCode: '10', amount: euros(50) }, request, false],
    ['a part', { responseCode: '10', amount: euros(50) }, { ...request, partialAllowed: true }, true],
    ['a part of all', { responseCode: '10', amount: euros(100) }, { ...request, partialAllowed: true }, true],
    ['none of more', { responseCode: '10', amount: euros(101) }, { ...request, partialAllowed: true }, false],
    [
      'none of nothing',
      { responseCode: '10', amount: euros(0) },
      { ...request, partialAllowed: true },
      false,
    ],
    [
      'none of a part that is not stated',
      { responseCode: '10' },
      { ...request, partialAllowed: true },
      false,
    ],
  ] as const)('%s', (_what, answer, about, is) => {
    expect(decides(answer, about)).toBe(is);
  });
});

describe('what was approved', () => {
  const standIn = { approvalCode: '123456', attempts: 0, nextAtMs: 0 };
  it('is the amount of the answer, or that of the request', () => {
    expect(approvedMinor(exchange({ answer: answerOf('10', { amount: euros(40) }) }))).toBe(40);
    expect(approvedMinor(exchange({ answer: answerOf('00') }))).toBe(100);
  });

  it('is nothing of what was declined, or has no answer', () => {
    expect(approvedMinor(exchange({ answer: answerOf('51', { amount: euros(40) }) }))).toBe(0);
    expect(approvedMinor(exchange())).toBe(0);
  });

  it('is the amount of a stand-in, also when it is taken back after a decline', () => {
    expect(approvedMinor(exchange({ standIn, state: 'advice-pending' }))).toBe(100);
    const answer = answerOf('51');
    expect(approvedMinor(exchange({ standIn, state: 'answered', answer }))).toBe(0);
    expect(approvedMinor(exchange({ standIn, state: 'reversed', answer }))).toBe(100);
  });

  it('is nothing of a request without an amount', () => {
    const { amount: _, ...request } = exchange().request ?? {};
    const record = { ...exchange({ standIn }), request } as ReturnType<typeof exchange>;
    expect(approvedMinor(record)).toBe(0);
    expect(approvedMinor({ ...record, answer: answerOf('00') })).toBe(0);
  });

  it('is nothing of what was never sent', () => {
    const { request: _, ...tombstone } = exchange({ standIn });
    expect(approvedMinor(tombstone)).toBe(0);
    expect(approvedMinor({ ...tombstone, answer: answerOf('00') })).toBe(0);
  });
});
