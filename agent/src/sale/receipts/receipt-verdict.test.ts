import { describe, expect, it } from 'vitest';
import type { SaleMessage } from '../machine/state/messages.js';
import type { SaleState } from '../machine/state/sale-state.js';
import { APPROVED, REQUEST, stateOf } from '../sale.test.support.js';
import { approvalCodeOf, verdictOf } from './receipt-verdict.js';

const RECORD: SaleMessage = {
  kind: 'offline-record',
  messageId: 'o1',
  deliveryStatus: 'queued',
  approval: 'card-approved',
};
const VOICE: SaleMessage = {
  kind: 'voice-authorization',
  messageId: 'v1',
  refersTo: 'm1',
  deliveryStatus: 'queued',
  approvalCode: 'AB12',
};
const ended = (more: Partial<SaleState>): SaleState => ({ ...stateOf(REQUEST), phase: 'done', ...more });

describe('the verdict on a receipt', () => {
  it.each([
    ['nothing before its end', { outcome: null, mode: null }, []],
    ['the outcome online', { outcome: 'approved', mode: 'online' }, ['approved']],
    ['the outcome without a mode', { outcome: 'cancelled', mode: null, messages: [RECORD] }, ['cancelled']],
    [
      'the outcome online after a record',
      { outcome: 'approved', mode: 'online', messages: [RECORD] },
      ['approved'],
    ],
    ['the outcome without a record', { outcome: 'declined', mode: 'offline-card' }, ['declined']],
    ['a reversal', { outcome: 'reversed', mode: 'offline-card', messages: [RECORD] }, ['reversed']],
    [
      'an approval on the phone',
      { outcome: 'approved', mode: 'online', reason: 'approved-by-voice' },
      ['approved', 'byVoice'],
    ],
    [
      'its reversal alone',
      { outcome: 'reversed', mode: 'online', reason: 'approved-by-voice' },
      ['reversed'],
    ],
    [
      'an approval of the card',
      { outcome: 'approved', mode: 'offline-card', messages: [RECORD] },
      ['approved', 'offline', 'notSure'],
    ],
    [
      'a record that is late',
      { outcome: 'approved', mode: 'offline-card', messages: [{ ...RECORD, expired: true }] },
      ['approved', 'offline', 'notSure', 'notForwarded'],
    ],
    [
      'a deferred authorization',
      { outcome: 'approved', mode: 'offline-deferred', messages: [RECORD] },
      ['takenOffline', 'notAuthorized', 'notSure', 'merchantRisk'],
    ],
  ] as const)('is %s', (_what, state, verdict) => {
    expect(verdictOf(ended(state as Partial<SaleState>))).toEqual(verdict);
  });
});

describe('the approval code on a receipt', () => {
  const answer = { ...APPROVED, approvalCode: '123456' };
  it.each([
    ['of the gateway', { outcome: 'approved', mode: 'online', answer }, '123456'],
    ['of the phone', { outcome: 'approved', mode: 'online', answer, messages: [VOICE] }, 'AB12'],
    ['of the phone, offline', { outcome: 'approved', mode: 'offline-card', messages: [VOICE] }, 'AB12'],
    ['none that is not stated', { outcome: 'approved', mode: 'online' }, undefined],
    ['none of a reversed sale', { outcome: 'reversed', mode: 'online', answer }, undefined],
    ['none of a declined one', { outcome: 'declined', mode: 'online', answer }, undefined],
    [
      'none before the gateway has approved',
      { outcome: 'approved', mode: 'offline-card', answer, messages: [RECORD] },
      undefined,
    ],
    [
      'of the gateway, later',
      {
        outcome: 'approved',
        mode: 'offline-card',
        answer,
        messages: [{ ...RECORD, deliveryStatus: 'acknowledged' }],
      },
      '123456',
    ],
  ] as const)('is %s', (_what, state, code) => {
    expect(approvalCodeOf(ended(state as Partial<SaleState>))).toBe(code);
  });
});
