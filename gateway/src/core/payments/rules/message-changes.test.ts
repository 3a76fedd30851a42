import { describe, expect, it } from 'vitest';
import type { CheckoutRow, ScheduleRunRow } from '../../../kernel/store/rows.js';
import {
  answerChanges,
  checkoutGuard,
  intentKey,
  messageGuards,
  messageKey,
  placeOf,
  sessionGuard,
  sourceOf,
} from './message-changes.js';
import type { BridgeOrigin, RestOrigin } from './requests.js';
import { bareResult } from './results.js';

const BRIDGE: BridgeOrigin = {
  kind: 'bridge',
  agentId: 'a',
  messageId: 'm',
  terminalId: '1',
  sequence: 4,
  epoch: 7,
  provenAtMs: 1,
  entityId: 'e',
};
const REST: RestOrigin = { kind: 'rest', entityId: 'e' };
const FENCE = { op: 'require-field', table: 'agents', key: ['a'], column: 'epoch', equals: 7 };

describe('the guards of a commit', () => {
  it('for a message need its session, and no reversal before it', () => {
    expect(messageGuards(BRIDGE)).toEqual([
      FENCE,
      { op: 'require-absent', table: 'tombstones', index: 'primary', values: ['a', 'm'] },
    ]);
    expect(sessionGuard(BRIDGE)).toEqual([FENCE]);
  });

  it('for a payment over REST need that its id has made none', () => {
    expect(messageGuards(REST)).toEqual([]);
    expect(sessionGuard(REST)).toEqual([]);
    expect(messageGuards({ ...REST, paymentId: 'p' })).toEqual([
      { op: 'require-absent', table: 'payments', index: 'primary', values: ['p'] },
    ]);
  });

  it('for a run of a schedule need that its worker still has it', () => {
    const run = { scheduleId: 's', leasedBy: 'n' } as ScheduleRunRow;
    expect(messageGuards({ ...REST, run })).toEqual([
      { op: 'require-field', table: 'schedules', key: ['s'], column: 'leasedBy', equals: 'n' },
      { op: 'insert', table: 'scheduleRuns', row: run },
    ]);
  });

  it('for a checkout need that nothing was posted since', () => {
    const row = { id: 'c' } as CheckoutRow;
    const guard = { op: 'require-field', table: 'checkouts', key: ['c'], column: 'postedId', equals: 'p' };
    expect(checkoutGuard({}, 'p', row)).toEqual([]);
    expect(checkoutGuard({ checkoutId: 'c' }, 'p', undefined)).toEqual([guard]);
    expect(checkoutGuard({ checkoutId: 'c' }, 'p', row)).toEqual([
      guard,
      { op: 'update', table: 'checkouts', row },
    ]);
  });
});

describe('the answer to a message', () => {
  const result = bareResult('refused', '700.300.100');
  it('is stored, and moves its stream on', () => {
    const [answer, advance, ...more] = answerChanges(placeOf({ ...BRIDGE, contentHash: 'h' }), result, 9);
    expect(answer).toMatchObject({
      op: 'insert',
      table: 'inbox',
      row: { agentId: 'a', messageId: 'm', contentHash: 'h', createdAtMs: 9, version: 1 },
    });
    expect(advance).toEqual({ op: 'advance-stream', agentId: 'a', terminalId: '1', nextSequence: 5 });
    expect(more).toEqual([]);
  });

  it('moves no stream outside of one, and is none over REST', () => {
    const [answer, ...more] = answerChanges(placeOf({ ...BRIDGE, sequence: 0 }), result, 9);
    expect(answer).toMatchObject({ table: 'inbox', row: { contentHash: null } });
    expect(more).toEqual([]);
    expect(answerChanges(placeOf(REST), result, 9)).toEqual([]);
  });
});

it('names the place and the source of a message', () => {
  const place = { agentId: 'a', messageId: 'm', terminalId: '1', sequence: 4 };
  expect(placeOf(BRIDGE)).toStrictEqual(place);
  expect(placeOf({ ...BRIDGE, contentHash: 'h' })).toStrictEqual({ ...place, contentHash: 'h' });
  expect([sourceOf(BRIDGE), sourceOf(REST)]).toEqual(['a/1', 'e']);
  expect([messageKey('a', 'm'), intentKey('i')]).toEqual(['message/a/m', 'intent/i']);
});
