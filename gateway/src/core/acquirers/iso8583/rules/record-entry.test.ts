import { describe, expect, it } from 'vitest';
import type { MoneyRequestKind } from '../../acquirer.js';
import type { ExchangePurpose, ExchangeRecord } from './exchange-record.js';
import { answerOf, exchange } from './exchange-record.test.support.js';
import {
  followedMinor,
  incrementedMinor,
  recordEntry,
  reversalEntry,
  standingMinor,
} from './record-entry.js';

const euros = (minor: number) => ({ minor, currency: 'EUR' });
const PROGRESS = { stan: '000009', at: '20261123072300', attempts: 1, nextAtMs: 0 };

function approved(
  operation: MoneyRequestKind,
  minor: number,
  more: Partial<Omit<ExchangeRecord, 'request'>> = {},
  purpose: Partial<ExchangePurpose> = {},
): ExchangeRecord {
  return exchange({
    state: 'answered',
    purpose: { operation, ...purpose },
    request: { amount: euros(minor) },
    answer: answerOf('00'),
    ...more,
  });
}

describe('what stands of an exchange', () => {
  it.each([
    ['answered', 100],
    ['advice-pending', 100],
    ['sent', 0],
    ['reversing', 0],
    ['reversed', 0],
  ] as const)('that is %s is %i', (state, minor) => {
    expect(standingMinor(approved('authorization', 100, { state }))).toBe(minor);
  });

  it('that was reversed in part is what stays', () => {
    const reversal = { ...PROGRESS, remaining: euros(30) };
    expect(standingMinor(approved('authorization', 100, { state: 'reversed', reversal }))).toBe(30);
    expect(standingMinor(approved('authorization', 100, { state: 'reversed', reversal: PROGRESS }))).toBe(0);
    expect(standingMinor(approved('authorization', 100, { state: 'reversing', reversal }))).toBe(0);
  });
});

it('adds increments, captures and refunds by themselves', () => {
  const followers = [
    approved('increment', 1),
    approved('increment', 2),
    approved('capture', 4),
    approved('capture', 8),
    approved('refund', 16),
    approved('refund', 32, { state: 'sent' }),
  ];
  expect(incrementedMinor(followers)).toBe(3);
  expect(followedMinor(approved('authorization', 100), followers)).toEqual({
    capturedMinor: 12,
    refundedMinor: 16,
  });
  const sale = approved('authorization', 100, {}, { captureNow: true });
  expect(followedMinor(sale, followers).capturedMinor).toBe(112);
  expect(followedMinor(sale, followers, [sale, approved('authorization', 7)]).capturedMinor).toBe(119);
});

it('counts nothing of what has no purpose', () => {
  const unknown = exchange({ state: 'answered', answer: answerOf('00') });
  expect(incrementedMinor([unknown])).toBe(0);
  expect(followedMinor(unknown, [unknown])).toEqual({ capturedMinor: 0, refundedMinor: 0 });
});

it('takes all back of a part whose reversal states nothing', () => {
  const first = approved('refund', 60);
  const second = approved('refund', 40, { state: 'reversed' });
  expect(recordEntry(first, [], [first, second])?.reversedMinor).toBe(40);
});

describe('the entry of an exchange', () => {
  it('has its amounts as they stand', () => {
    const sale = approved(
      'authorization',
      100,
      {},
      { captureNow: true, messageId: 'm', originalReference: 'o' },
    );
    expect(recordEntry(sale, [approved('refund', 30)])).toEqual({
      acquirerReference: 'r',
      originalReference: 'o',
      messageId: 'm',
      kind: 'authorization',
      approved: true,
      isPending: false,
      captureNow: true,
      currency: 'EUR',
      amountMinor: 100,
      capturedMinor: 100,
      refundedMinor: 30,
      chargedBackMinor: 0,
      reversedMinor: 0,
      reason: null,
      atMs: 7,
    });
  });

  it('has nothing of what its purpose does not state', () => {
    expect(recordEntry(approved('authorization', 100), [])).toMatchObject({
      originalReference: null,
      messageId: null,
      captureNow: false,
    });
  });

  it('has its increments, which are reversed with it', () => {
    const followers = [approved('increment', 20)];
    expect(recordEntry(approved('authorization', 100), followers)).toMatchObject({
      amountMinor: 120,
      reversedMinor: 0,
    });
    const reversed = approved('authorization', 100, { state: 'reversed', reversal: PROGRESS });
    expect(recordEntry(reversed, followers)).toMatchObject({ amountMinor: 120, reversedMinor: 120 });
  });

  it('has what was reversed of each part', () => {
    const first = approved('refund', 60);
    const second = approved('refund', 40, {
      state: 'reversed',
      reversal: { ...PROGRESS, remaining: euros(10) },
    });
    expect(recordEntry(first, [], [first, second])).toMatchObject({ amountMinor: 100, reversedMinor: 30 });
  });

  it('is declined where nothing was approved', () => {
    expect(recordEntry(approved('authorization', 100, { answer: answerOf('51') }), [])).toMatchObject({
      approved: false,
      amountMinor: 0,
    });
  });

  it.each([
    ['it has no outcome', approved('authorization', 100, { state: 'sent' })],
    ['it is being reversed', approved('authorization', 100, { state: 'reversing' })],
    [
      'it was never sent',
      { reference: 'r', state: 'reversed', lateApprovals: 0, createdAtMs: 0, version: 1 },
    ],
    ['it is a trial', approved('authorization', 100, {}, { isTrial: true })],
    ['it has no purpose', exchange({ state: 'answered' })],
  ] as const)('is none where %s', (_what, record) => {
    expect(recordEntry(record, [])).toBeUndefined();
  });

  it('is none while one of its parts is open', () => {
    const first = approved('refund', 60);
    expect(recordEntry(first, [], [first, approved('refund', 40, { state: 'sent' })])).toBeUndefined();
  });

  it('is none without an amount', () => {
    const { amount: _, ...request } = exchange().request ?? {};
    expect(recordEntry({ ...approved('refund', 60), request } as ExchangeRecord, [])).toBeUndefined();
  });
});

describe('the entry of a reversal', () => {
  const reversed = (more: Partial<NonNullable<ExchangeRecord['reversal']>> = {}) =>
    approved(
      'authorization',
      100,
      { reference: 'r.1', state: 'reversed', reversal: { ...PROGRESS, reference: 'v', ...more } },
      { messageId: 'm' },
    );

  it('is of the whole that it is a part of', () => {
    expect(reversalEntry(reversed())).toEqual({
      acquirerReference: 'v',
      originalReference: 'r',
      messageId: 'm',
      kind: 'reversal',
      approved: true,
      isPending: false,
      captureNow: false,
      currency: 'EUR',
      amountMinor: 100,
      capturedMinor: 0,
      refundedMinor: 0,
      chargedBackMinor: 0,
      reversedMinor: 0,
      reason: null,
      atMs: 7,
    });
  });

  it('has what was reversed of each part, or of what was approved in all', () => {
    expect(reversalEntry(reversed({ remaining: euros(30) }))?.amountMinor).toBe(70);
    expect(reversalEntry(reversed(), [reversed(), reversed()])?.amountMinor).toBe(200);
    expect(reversalEntry(reversed({ amount: euros(120) }))?.amountMinor).toBe(120);
    expect(reversalEntry(reversed({ amount: euros(120), remaining: euros(20) }))?.amountMinor).toBe(100);
  });

  it('is none before its end, nor of a reversal that the gateway did not request', () => {
    expect(reversalEntry({ ...reversed(), state: 'reversing' })).toBeUndefined();
    expect(
      reversalEntry(approved('authorization', 1, { state: 'reversed', reversal: PROGRESS })),
    ).toBeUndefined();
    expect(reversalEntry(approved('authorization', 1, { state: 'reversed' }))).toBeUndefined();
    const { request: _, ...tombstone } = reversed();
    expect(reversalEntry(tombstone)).toBeUndefined();
    const { purpose: _purpose, ...withoutPurpose } = reversed();
    expect(reversalEntry(withoutPurpose)?.messageId).toBeNull();
  });
});
