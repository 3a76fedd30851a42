import type { JournalRow, NewRow } from '@tillbridge/agent/journal/journal.js';
import type { AcquirerAnswer, AcquirerRequest } from '@tillbridge/gateway/core/acquirers/acquirer.js';
import type { PaymentService } from '@tillbridge/gateway/core/payments/payment-service.js';
import { REPLAY_CODE } from '@tillbridge/gateway/core/payments/rules/atc-replay.js';
import {
  type FollowUpRequest,
  type Origin,
  type PaymentRequest,
  type PaymentResult,
  StaleSessionError,
} from '@tillbridge/gateway/core/payments/rules/requests.js';
import type { Change } from '@tillbridge/gateway/kernel/store/store.js';
import { type Envelope, GoodbyeCode } from '@tillbridge/wire/bridge/messages.js';
import { describe, expect, it } from 'vitest';
import { SituationRecorder } from './situation-recorder.js';

const AGENT = 'agent-1';
const STORE = 'store-1';

function recorder(): SituationRecorder {
  return new SituationRecorder(new Set());
}

/** The rows of one sale; message ids as they are named. */
function rows(...facts: readonly Pick<NewRow, 'kind' | 'data' | 'messageId' | 'statusOf'>[]): JournalRow[] {
  return facts.map((fact, at) => ({
    ...fact,
    reference: 'A1-1',
    terminalId: '101',
    row: at + 1,
    atMs: 0,
    sequence: 0,
    hash: new Uint8Array(),
  }));
}

const answer = (disposition: string) => ({ answer: { disposition } });
const request = { kind: 'authorizing', data: {}, messageId: 'm1' };
const offline = (approval: string) => ({ kind: 'offline-record', data: { approval }, messageId: 'm2' });
const reversal = (data: NewRow['data'] = {}) => ({ kind: 'reversal', data, messageId: 'm3' });
const precedingReversal = { kind: 'preceding-reversal', data: {}, messageId: 'm3' };
const acknowledged = (statusOf: string, disposition: string) => ({
  kind: 'acknowledged',
  data: answer(disposition),
  statusOf,
});
const cardDeclined = { kind: 'completed', data: { result: 'declined' } };
const approved = { kind: 'answered', data: answer('approved') };

describe('rare situations in a journal', () => {
  it.each([
    ['AAC after an approval', [request, approved, cardDeclined]],
    ['offline approval, late decline', [offline('card-approved'), acknowledged('m2', 'declined')]],
    ['deferred authorization reversed', [offline('deferred'), reversal()]],
    ['preceding reversal undid an approval', [precedingReversal, acknowledged('m3', 'reversed')]],
    ['unrecorded approval reversed', [request, reversal({ reason: 'journal-unavailable' })]],
    ['offline record expired', [offline('card-approved'), { kind: 'too-old', data: {} }]],
    ['parked sale resolved', [{ kind: 'ended', data: { reason: 'manually-resolved' } }]],
  ])('counts: %s', (situation, facts) => {
    const situations = recorder();
    situations.journaled(STORE, rows(...facts));
    expect(situations.counts).toEqual({ [situation]: 1 });
  });

  it.each([
    ['an approval that the card accepts', [request, approved]],
    ['an offline record that was taken', [offline('deferred'), acknowledged('m2', 'approved')]],
    ['a reversal of an offline approval by the card', [offline('card-approved'), reversal()]],
    ['a preceding reversal of nothing', [precedingReversal, acknowledged('m3', 'nothing-to-reverse')]],
  ])('does not count %s', (_what, facts) => {
    const situations = recorder();
    situations.journaled(STORE, rows(...facts));
    expect(situations.counts).toEqual({});
  });

  it('counts a card that declines after no answer only when the request had left', () => {
    const [stays, leaves] = [recorder(), recorder()];
    leaves.sent(STORE, AGENT, 'up', statusRequest('m1'));
    for (const situations of [stays, leaves]) situations.journaled(STORE, rows(request, cardDeclined));
    expect([stays.counts, leaves.counts]).toEqual([{}, { 'AAC after no answer': 1 }]);
  });

  it('counts an approval that is reversed after a card declined without an answer, and no other reversal', () => {
    const counted = (disposition: string) => {
      const situations = recorder();
      situations.sent(STORE, AGENT, 'up', statusRequest('m1'));
      situations.journaled(STORE, rows(request, cardDeclined, reversal(), acknowledged('m3', disposition)));
      return situations.counts;
    };
    expect(counted('nothing-to-reverse')).toEqual({ 'AAC after no answer': 1 });
    expect(counted('reversed')).toEqual({
      'AAC after no answer': 1,
      'AAC after a timeout undid an approval': 1,
    });
  });

  it('counts a clock jump only while an offline record waits in that store', () => {
    const situations = recorder();
    situations.clockJumped(STORE);
    situations.journaled(STORE, rows(offline('card-approved')));
    situations.clockJumped('store-2');
    situations.clockJumped(STORE);
    situations.journaled(STORE, rows(acknowledged('m2', 'approved')));
    situations.clockJumped(STORE);
    expect(situations.counts).toEqual({ 'clock jump over offline records': 1 });
  });
});

function statusRequest(id: string): Envelope {
  return { id, terminalId: '', sequence: 0, kind: 'statusRequest', body: { messageId: 'm0' } };
}

function goodbye(code: GoodbyeCode): Envelope {
  const body = { code, reason: '', retryAfterMs: 0 };
  return { id: 'g', terminalId: '', sequence: 0, kind: 'goodbye', body };
}

describe('rare situations on the wire', () => {
  it('counts sessions that a newer one replaced, and a clone that had sold', () => {
    const situations = new SituationRecorder(new Set([AGENT]));
    situations.sent(STORE, AGENT, 'down', goodbye(GoodbyeCode.OVERLOADED));
    situations.sent(STORE, AGENT, 'down', goodbye(GoodbyeCode.SUPERSEDED));
    expect(situations.counts).toEqual({ 'sessions of one agent overlapped': 1 });
    situations.journaled(STORE, rows({ kind: 'ended', data: { outcome: 'approved' } }));
    situations.sent(STORE, AGENT, 'down', goodbye(GoodbyeCode.FENCED));
    expect(situations.counts).toEqual({
      'sessions of one agent overlapped': 2,
      'clone sold and lost its session': 1,
    });
  });

  it.each([
    ['capture', undefined, 'capture, answer lost'],
    ['refund', undefined, 'refund, answer lost'],
    ['reversal', undefined, 'reversal, answer lost'],
    ['authorization', 500, 'partial approval, answer lost'],
    ['authorization', undefined, undefined],
  ] as const)('counts the lost answer of %s, approved minor %s: %s', (kind, approvedMinor, situation) => {
    const situations = recorder();
    const request: AcquirerRequest =
      kind === 'reversal'
        ? { kind, acquirerReference: 'a', originalReference: 'o' }
        : { kind, acquirerReference: 'a', amount: { minor: 900, currency: 'EUR' } };
    const answer: AcquirerAnswer = {
      approved: true,
      resultCode: '000.000.000',
      responseCode: '00',
      ...(approvedMinor !== undefined && { approvedMinor }),
    };
    situations.answerLost(request, answer);
    expect(situations.counts).toEqual(situation ? { [situation]: 1 } : {});
    situations.answerLost(request, { ...answer, approved: false });
    expect(situations.counts).toEqual(situation ? { [situation]: 1 } : {});
  });
});

const ORIGIN: Origin = {
  kind: 'bridge',
  agentId: AGENT,
  entityId: 'e',
  epoch: 1,
  provenAtMs: 0,
  messageId: 'm1',
  terminalId: '101',
  sequence: 0,
};
const REFUSED: PaymentResult = { disposition: 'refused', resultCode: '700.400.580', description: '' };

/** A payment service below the recorder that answers every call with `work`. */
function serviceOf(work: () => Promise<PaymentResult>): PaymentService {
  return {
    authorize: work,
    followUp: work,
    status: () => Promise.reject(new Error('not called')),
    find: async () => undefined,
    lookUp: async () => undefined,
    continueWaiting: async () => undefined,
  };
}

const authorization = { origin: ORIGIN } as PaymentRequest;
const followUp = { origin: ORIGIN } as FollowUpRequest;

function inserted(table: 'inbox' | 'tombstones' | 'payments', row: object): Change {
  return { op: 'insert', table, row: { agentId: AGENT, messageId: 'm1', version: 1, ...row } } as Change;
}

describe('rare situations at the gateway', () => {
  it('counts an authorization that its tombstone refused', async () => {
    const { gateway, counts } = recorder();
    const service = gateway.watch(serviceOf(async () => REFUSED));
    await service.authorize(authorization);
    expect(counts).toEqual({});
    gateway.committed([inserted('tombstones', {})]);
    await service.followUp(followUp);
    await service.authorize(authorization);
    expect(counts).toEqual({ 'tombstone refused a late original': 1 });
  });

  it('counts a message of an older session', async () => {
    const { gateway, counts } = recorder();
    const service = gateway.watch(serviceOf(() => Promise.reject(new StaleSessionError('newer'))));
    await expect(service.followUp(followUp)).rejects.toThrow(StaleSessionError);
    expect(counts).toEqual({ 'message of an older session refused': 1 });
  });

  it('counts a process that ended between commit and answer', () => {
    const { gateway, counts } = recorder();
    const unanswered = serviceOf(() => new Promise(() => undefined));
    void gateway.watch(unanswered).authorize(authorization);
    gateway.watch(unanswered);
    expect(counts).toEqual({});
    void gateway.watch(unanswered).authorize(authorization);
    gateway.committed([inserted('inbox', {})]);
    gateway.watch(unanswered);
    expect(counts).toEqual({ 'gateway ended between commit and answer': 1 });
  });

  it('counts replays that were refused, and parked messages whose retry was answered', () => {
    const { gateway, counts } = recorder();
    const parked = (state: string): Change =>
      ({ op: 'update', table: 'parked', row: { agentId: AGENT, messageId: 'm1', state } }) as Change;
    gateway.committed([inserted('payments', { resultCode: REPLAY_CODE })]);
    gateway.committed([inserted('payments', { resultCode: '000.000.000' })]);
    gateway.committed([parked('retry')]);
    gateway.committed([parked('resolved')]);
    expect(counts).toEqual({ 'replayed card refused': 1, 'parked message retried': 1 });
  });

  it('counts waits that a process left behind, or whose deadline was over, where they end paid', () => {
    const wait = (op: 'insert' | 'update', untilMs: number | null, endedAtMs: number | null): Change =>
      ({ op, table: 'waits', row: { paymentId: 'p', untilMs, endedAtMs } }) as Change;
    const counted = (state: string, endedAtMs: number, isKilled: boolean) => {
      const { gateway, counts } = recorder();
      const start = () => gateway.watch(serviceOf(async () => REFUSED));
      start();
      gateway.committed([wait('insert', 100, null)]);
      if (isKilled) start();
      gateway.committed([wait('update', null, null)]);
      gateway.committed([inserted('payments', { state }), wait('update', null, endedAtMs)]);
      return counts;
    };
    expect(counted('captured', 99, false)).toEqual({});
    expect(counted('captured', 99, true)).toEqual({ 'gateway ended while a payment waited, then paid': 1 });
    expect(counted('captured', 100, false)).toEqual({ 'approval found at the deadline': 1 });
    expect(counted('declined', 100, true)).toEqual({});
  });
});
