import { describe, expect, it } from 'vitest';
import type { Sale } from '../api/answers.js';
import { isCancellable, saleWords } from './sale-words.js';

const SALE: Sale = {
  reference: 'r-1',
  terminalId: '1001',
  type: 'sale',
  state: 'done',
  outcome: 'approved',
  mode: 'online',
  amount: '12.34',
  currency: 'EUR',
  cashierText: 'Approved.',
  timeline: [],
};

const words = (more: Partial<Sale>) => {
  const { tone, state, answer } = saleWords({ ...SALE, ...more });
  return [tone, state, answer];
};

describe('the words of a sale', () => {
  it.each<[string, Partial<Sale>, readonly string[]]>([
    ['approved', {}, ['good', 'Approved', 'Approved: €12.34.']],
    [
      'approved by the card alone',
      { mode: 'offline-card' },
      ['good', 'Approved offline', 'Approved offline by the card: €12.34.'],
    ],
    [
      'deferred, which is no approval',
      { mode: 'offline-deferred' },
      ['warn', 'Taken offline', 'Taken offline: €12.34, not authorized yet.'],
    ],
    [
      'approved in part',
      { approvedAmount: '6.17' },
      ['warn', 'Part approved', 'Only €6.17 of €12.34 is approved.'],
    ],
    ['a refund', { type: 'refund' }, ['good', 'Refunded', 'Approved: €12.34 is given back.']],
    ['declined', { outcome: 'declined' }, ['bad', 'Declined', 'Declined. Nothing was charged.']],
    [
      'a declined refund',
      { outcome: 'declined', type: 'refund' },
      ['bad', 'Declined', 'Declined. Nothing was given back.'],
    ],
    [
      'a referral',
      { outcome: 'declined', resultCode: '800.100.200' },
      ['warn', 'Call the issuer', 'Not approved: the issuer of the card wants a call.'],
    ],
    ['cancelled', { outcome: 'cancelled' }, ['neutral', 'Cancelled', 'Cancelled. Nothing was charged.']],
    ['failed', { outcome: 'failed' }, ['bad', 'Failed', 'Failed. Nothing was charged.']],
    ['reversed', { outcome: 'reversed' }, ['neutral', 'Reversed', 'Reversed: €12.34 is not charged.']],
    [
      'declined later',
      { outcome: 'declined', mode: 'offline-card', lateDecline: { reason: 'declined-later' } },
      ['bad', 'Declined later', 'Declined later: €12.34 was not received.'],
    ],
    [
      'expired offline',
      { outcome: 'expired', mode: 'offline-card', lateDecline: { reason: 'expired-offline' } },
      ['bad', 'Expired', 'Expired: €12.34 was not received.'],
    ],
    [
      'parked',
      { state: 'parked', outcome: null },
      ['warn', 'Needs staff', 'Staff must find out how this payment of €12.34 ended.'],
    ],
    [
      'parked after an approval, which is not called one',
      { state: 'parked' },
      ['warn', 'Needs staff', 'Staff must find out how this payment of €12.34 ended.'],
    ],
    [
      'unknown',
      { state: 'unknown', outcome: null },
      ['warn', 'Not known yet', 'Not known yet whether €12.34 is approved. Do not hand over goods.'],
    ],
    [
      'reversing',
      { state: 'reversing', outcome: null },
      ['warn', 'Reversing', 'Not approved. It is being reversed.'],
    ],
    ['running', { state: 'authorizing', outcome: null }, ['info', 'Running', 'Sale of €12.34 is running.']],
  ])('tell %s', (_name, more, expected) => {
    expect(words(more)).toEqual(expected);
  });

  it('offer a cancellation until the outcome has left the agent’s hands', () => {
    const states = ['accepted', 'reading-card', 'unknown', 'reversing', 'done', 'parked'] as const;
    expect(states.filter((state) => isCancellable({ ...SALE, state }))).toEqual(['accepted', 'reading-card']);
  });
});
