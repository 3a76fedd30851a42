import { describe, expect, it } from 'vitest';
import type { CaptureMessage, SaleMessage } from '../machine/state/messages.js';
import type { SaleState } from '../machine/state/sale-state.js';
import { APPROVED, REQUEST, stateOf } from '../sale.test.support.js';
import { movementsOf } from './movements.js';

const sale = (more: Partial<SaleState>): SaleState => ({ ...stateOf(REQUEST), ...more });
const ended = (more: Partial<SaleState>): SaleState =>
  sale({ phase: 'done', outcome: 'approved', mode: 'online', ...more });
const counted = (state: SaleState) => movementsOf(state, '').map(({ kind, minor }) => `${kind} ${minor}`);
const ofType = (type: 'refund' | 'preauthorization') => ({ request: { ...REQUEST, type } }) as const;
const RECORD: SaleMessage = {
  kind: 'offline-record',
  messageId: 'o1',
  deliveryStatus: 'queued',
  approval: 'card-approved',
};

it('names terminal, brand, till and currency', () => {
  const where = { currency: 'EUR', terminal: '77', brand: 'VISA' };
  expect(movementsOf(ended({}), 'VISA')).toEqual([{ ...where, till: '', kind: 'approved', minor: 1_234 }]);
  expect(movementsOf(ended({ request: { ...REQUEST, till: 'front' } }), 'VISA')).toMatchObject([
    { till: 'front' },
  ]);
});

describe('a sale counts', () => {
  it.each([
    ['running', sale({ phase: 'reading-card' }), ['running 1234']],
    ['parked', sale({ phase: 'parked' }), ['parked 1234']],
    ['of unknown outcome', sale({ phase: 'unknown' }), ['unknown 1234']],
    ['while it is reversed', sale({ phase: 'reversing' }), ['unknown 1234']],
    ['approved', ended({}), ['approved 1234']],
    [
      'approved in part',
      ended({ answer: { ...APPROVED, amountMinor: 1_000, currency: 'EUR' } }),
      ['approved 1000'],
    ],
    ['refunded', ended(ofType('refund')), ['refunded 1234']],
    ['declined', ended({ outcome: 'declined' }), []],
    ['waiting', ended({ messages: [RECORD] }), ['waiting 1234']],
    [
      'approved later',
      ended({ messages: [{ ...RECORD, deliveryStatus: 'acknowledged' }] }),
      ['approved 1234'],
    ],
    [
      'waiting for the code of a call',
      ended({
        messages: [
          {
            kind: 'voice-authorization',
            messageId: 'v1',
            refersTo: 'm1',
            approvalCode: 'A',
            deliveryStatus: 'queued',
          },
        ],
      }),
      ['waiting 1234'],
    ],
    ['declined later', ended({ outcome: 'declined', reason: 'declined-later' }), ['lateDeclined 1234']],
    ['expired', ended({ outcome: 'expired', reason: 'expired-offline' }), ['lateDeclined 1234']],
  ] as const)('%s', (_what, state, movements) => {
    expect(counted(state)).toEqual(movements);
  });
});

describe('a reversed sale counts', () => {
  const reversal = (reversedMinor?: number): SaleMessage => ({
    kind: 'reversal',
    messageId: 'r1',
    refersTo: 'm1',
    deliveryStatus: 'acknowledged',
    reason: 'no-answer',
    otherwise: 'failed',
    ...(reversedMinor !== undefined && { reversedMinor }),
  });
  const reversed = (more: Partial<SaleState>) => ended({ outcome: 'reversed', ...more });

  it('as what was reversed of it', () => {
    expect(counted(reversed({ messages: [reversal(600)] }))).toEqual(['reversed 600']);
    expect(counted(reversed({ messages: [reversal(0)] }))).toEqual([]);
  });

  it('as its amount, where none was named', () => {
    expect(counted(reversed({ messages: [reversal()] }))).toEqual(['reversed 1234']);
    expect(counted(reversed({}))).toEqual(['reversed 1234']);
    expect(counted(reversed(ofType('refund')))).toEqual(['reversedRefunds 1234']);
  });
});

describe('a preauthorization counts', () => {
  const capture = (minor: number, more: Partial<CaptureMessage> = {}): CaptureMessage => ({
    kind: 'capture',
    messageId: `c${minor}`,
    refersTo: 'm1',
    deliveryStatus: 'acknowledged',
    minor,
    final: false,
    ...more,
  });
  const held = (...messages: readonly SaleMessage[]) => ended({ ...ofType('preauthorization'), messages });

  it('as what is held, less what captures take', () => {
    expect(counted(held())).toEqual(['preauthorized 1234']);
    expect(
      counted(
        held(
          capture(100),
          capture(34),
          capture(200, { deliveryStatus: 'queued' }),
          capture(400, { deliveryStatus: 'refused' }),
        ),
      ),
    ).toEqual(['approved 100', 'approved 34', 'waiting 200', 'preauthorized 900']);
  });

  it('as nothing held when no capture can follow', () => {
    expect(counted(held(capture(100, { final: true })))).toEqual(['approved 100']);
    expect(counted(held(capture(100, { final: true, deliveryStatus: 'queued' })))).toEqual([
      'waiting 100',
      'preauthorized 1134',
    ]);
    expect(counted({ ...held(capture(100)), reason: 'rest-released' })).toEqual(['approved 100']);
  });
});
