import { decodeEnvelope } from '@tillbridge/wire/bridge/codec.js';
import {
  Disposition,
  type Envelope,
  OfflineKind,
  SaleType,
  StatusState,
  type StreamKind,
} from '@tillbridge/wire/bridge/messages.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TryLaterError } from '../../kernel/errors/try-later-error.js';
import type { ParkedRow } from '../../kernel/store/rows.js';
import { CommitConflict, StoreUnavailableError } from '../../kernel/store/store.js';
import { MemoryStore } from '../../kernel/store/testing/memory-store.js';
import { encipheredPin } from '../../security/module/card-example.test.support.js';
import { MessageSeal } from '../../security/vault/message-seal.js';
import { testKeyRing } from '../../security/vault/testing/test-key-ring.js';
import {
  AGENT,
  ENTITY,
  FailingStore,
  openPaymentHarness,
  type PaymentHarness,
} from '../payments/payment-harness.test.support.js';
import type { PaymentService } from '../payments/payment-service.js';
import { OutageError, OutsidePolicyError, StaleSessionError } from '../payments/rules/requests.js';
import type { StreamItem } from './backlog-machine.js';
import { DEFAULT_BRIDGE_LIMITS } from './limits/bridge-limits.js';
import { isPassing, KEPT_MESSAGES, type LiveEnvelope, MessageHandler } from './message-handler.js';
import { chip, offline, reversal, sale } from './wire-examples.test.support.js';

const SESSION = { agentId: AGENT, entityId: ENTITY, terminals: ['1'], epoch: 1, provenAtMs: 0 };
const LIMITS = { ...DEFAULT_BRIDGE_LIMITS, streamBlockMs: 2_000, retryMaxMs: 1_000 };
const LATER = { kind: 'later', failed: false };

let store: FailingStore;
let harness: PaymentHarness;
let seal: MessageSeal;
/** What was logged: level, text and what it is about. */
let log: [level: string, text: string, about: object][];
/** Whether the acquirer counts as away. */
let silent: boolean;
/** What the service does in the place of its work. */
let fault: Error | undefined;
let handler: MessageHandler;
beforeEach(async () => {
  store = new FailingStore(new MemoryStore());
  harness = await openPaymentHarness(() => store);
  seal = new MessageSeal(testKeyRing());
  log = [];
  silent = false;
  fault = undefined;
  const note =
    (level: string) =>
    (about: object, text: string): void =>
      void log.push([level, text, about]);
  const { service, clock } = harness;
  handler = new MessageHandler({
    service: failing(service),
    store,
    clock,
    seal,
    log: { info: note('info'), warn: note('warn'), error: note('error') },
    limits: LIMITS,
    isAcquirerSilent: () => silent,
  });
});
afterEach(() => harness.dispose());

/** The service, which fails as long as there is a {@link fault}. */
function failing(service: PaymentService): PaymentService {
  const unless = <T>(work: () => Promise<T>): Promise<T> => (fault ? Promise.reject(fault) : work());
  return {
    authorize: (request) => unless(() => service.authorize(request)),
    followUp: (request) => unless(() => service.followUp(request)),
    status: (...message) => unless(() => service.status(...message)),
    find: (...query) => service.find(...query),
    lookUp: (...query) => service.lookUp(...query),
    continueWaiting: (...payment) => service.continueWaiting(...payment),
  };
}

const live = (envelope: Partial<LiveEnvelope>) =>
  handler.live({ id: 'm1', terminalId: '1', sequence: 0, ...envelope } as LiveEnvelope, SESSION);
const authorize = (id: string, over: Parameters<typeof sale>[1] = {}) =>
  live({ id, kind: 'authorizationRequest', body: sale(`R-${id}`, over) });
const status = () => live({ kind: 'statusRequest', body: { messageId: 'm1' } });

function item<K extends StreamKind>(kind: K, id: string, sequence: number, body: Envelope<K>['body']) {
  return { kind, id, sequence, terminalId: '1', body } as StreamItem;
}
const record = (id: string, sequence = 1, over: Parameters<typeof offline>[1] = {}) =>
  item('offlineRecord', id, sequence, offline(`R-${id}`, over));
const stream = (message: StreamItem, lastTry = false) => handler.stream(message, SESSION, lastTry);
const parked = (id: string): Promise<ParkedRow | undefined> => store.get('parked', [AGENT, id]);
const position = async () => (await store.get('streams', [AGENT, '1']))?.nextSequence;

describe('a live message', () => {
  it('is answered with its outcome, and its status is known then', async () => {
    expect(await authorize('m1')).toMatchObject({
      kind: 'authorizationAnswer',
      body: { messageId: 'm1', outcome: { disposition: Disposition.APPROVED } },
    });
    expect(await status()).toMatchObject({
      kind: 'statusAnswer',
      body: { messageId: 'm1', state: StatusState.ANSWERED },
    });
    expect(log).toEqual([]);
  });

  it('that cannot be translated is refused with the reason', async () => {
    expect(await authorize('m1', { amount: { minor: 0, currency: 'EUR' } })).toMatchObject({
      kind: 'authorizationAnswer',
      body: { outcome: { disposition: Disposition.REFUSED, description: 'amount.minor must be above zero' } },
    });
    expect(await harness.transactions()).toEqual([]);
  });

  it.each([
    [
      'a tip of other money',
      { tip: { minor: 1, currency: 'USD' } },
      'tip.currency must be that of the amount',
    ],
    ['a tip of nothing', { tip: { minor: 0, currency: 'EUR' } }, 'tip.minor must be above zero'],
    [
      'cash back that is all of it',
      { cashBack: { minor: 1_234, currency: 'EUR' } },
      'cashBack must leave something of the amount, of which it is a part',
    ],
    [
      'a tip of a preauthorization',
      { type: SaleType.PREAUTHORIZATION, tip: { minor: 1, currency: 'EUR' } },
      'tip belongs to a SALE',
    ],
  ])('with %s is refused with the field and the rule', async (_what, more, description) => {
    const parts = { amount: { minor: 1_234, currency: 'EUR' }, ...more };
    expect(await authorize('m1', parts)).toMatchObject({
      body: { outcome: { disposition: Disposition.REFUSED, description } },
    });
  });

  it.each<[string, Error, string, string]>([
    ['a mistake of ours', new Error('x'), 'error', 'message failed'],
    ['a store that is away', new StoreUnavailableError('disk-full', 'x'), 'warn', 'message must wait'],
    ['an outcome that is not known', new TryLaterError('x'), 'warn', 'message must wait'],
  ])('is not answered after %s: the agent requests its status', async (_what, error, level, text) => {
    fault = error;
    expect(await authorize('m1')).toEqual({ kind: 'none' });
    const about = { agentId: AGENT, messageId: 'm1', kind: 'authorizationRequest', err: error };
    expect(log).toEqual([[level, text, about]]);
  });

  it('is in progress while its outcome is not known, and no status is answered after an error', async () => {
    fault = new TryLaterError('x');
    expect(await status()).toMatchObject({ kind: 'statusAnswer', body: { state: StatusState.IN_PROGRESS } });
    fault = new Error('x');
    expect(await status()).toEqual({ kind: 'none' });
  });

  it('of an older session is answered as stale, whatever it is', async () => {
    fault = new StaleSessionError();
    expect(await authorize('m1')).toEqual({ kind: 'stale' });
    expect(await status()).toEqual({ kind: 'stale' });
    expect(log).toEqual([]);
  });
});

describe('a message of a stream', () => {
  it('is acknowledged with its outcome', async () => {
    expect(await stream(record('s1'))).toMatchObject({
      kind: 'acknowledgement',
      outcome: { disposition: Disposition.APPROVED },
    });
    expect(await position()).toBe(2);
  });

  it('is committed once, with the place of its stream', async () => {
    const commits: string[] = [];
    store.beforeCommit = async (changes) => {
      if (changes.some(({ op }) => op === 'advance-stream')) commits.push('advance-stream');
    };
    expect(await stream(record('s1'))).toMatchObject({ kind: 'acknowledgement' });
    expect(commits).toEqual(['advance-stream']);
  });

  it('that is refused and changes nothing moves its stream on', async () => {
    await stream(record('s1'));
    // The same id with other content.
    const other = item('reversal', 's1', 4, reversal('m9'));
    expect(await stream(other)).toMatchObject({ outcome: { disposition: Disposition.REFUSED } });
    expect(await position()).toBe(5);
  });

  it('that was parked is answered as parked again, until an operator has had it tried', async () => {
    await stream(record('s1', 1, { kind: OfflineKind.KIND_UNSPECIFIED }));
    const answer = {
      kind: 'parked',
      reasonCode: 'malformed',
      reason: expect.stringContaining('kind must be'),
    };
    expect(await stream(record('s1'))).toEqual(answer);
    const row = await parked('s1');
    if (!row) throw new Error('s1 is not parked');
    await store.commit([{ op: 'update', table: 'parked', row: { ...row, state: 'resolved' } }]);
    expect(await stream(record('s1'))).toMatchObject({ kind: 'acknowledgement' });
  });

  it('that cannot be read is parked as it came', async () => {
    const bytes = Uint8Array.of(1, 2, 3);
    const place = { id: 's1', terminalId: '1', sequence: 3 };
    expect(await stream({ ...place, kind: 'unreadable', bytes, fault: 'no body' })).toEqual({
      kind: 'parked',
      reasonCode: 'unreadable',
      reason: 'this build cannot read the message: no body',
    });
    const row = await parked('s1');
    expect(row).toMatchObject({
      agentId: AGENT,
      terminalId: '1',
      sequence: 3,
      reference: null,
      kind: 'unreadable',
      state: 'waiting',
      note: null,
      createdAtMs: harness.clock.nowMs(),
    });
    expect(await messageOf(row)).toEqual(Buffer.from(bytes));
    expect(await position()).toBe(4);
    const [alert] = await store.find('alerts', 'state', ['open']);
    expect(alert).toMatchObject({
      code: 'message-parked',
      subject: `${AGENT}/s1`,
      entityId: ENTITY,
      detail: 'unreadable of terminal 1: this build cannot read the message: no body',
    });
    expect(log).toEqual([
      ['error', 'message parked', expect.objectContaining({ messageId: 's1', reasonCode: 'unreadable' })],
    ]);
  });

  it('is kept without its PIN block, which may not be stored', async () => {
    const pos = { ...chip('TC', '1', 'R-s1'), pin: encipheredPin('4200000000000000', '1234') };
    const withPin = record('s1', 1, { pos });
    fault = new OutsidePolicyError('x');
    await stream(withPin);
    await stream(record('s2', 2));
    const kept = decodeEnvelope(await messageOf(await parked('s1'))) as Envelope<'offlineRecord'>;
    expect(kept).toMatchObject({ id: 's1', terminalId: '1', sequence: 1, body: { reference: 'R-s1' } });
    expect(kept.body.pos?.pin).toBeUndefined();
    expect(kept.body.pos?.sred?.data).toEqual(pos.sred?.data);
    const without = decodeEnvelope(await messageOf(await parked('s2'))) as Envelope<'offlineRecord'>;
    expect(without.body.pos?.sred).toBeDefined();
  });

  it('is parked without its content once an agent has too many', async () => {
    fault = new OutsidePolicyError('x');
    await stream(record('s0'));
    const row = await parked('s0');
    if (!row) throw new Error('s0 is not parked');
    const more = (count: number, message: string | null) =>
      Array.from({ length: count }, (_, at) => ({
        op: 'insert' as const,
        table: 'parked' as const,
        row: { ...row, message, messageId: `${message}${at}`, version: 1 },
      }));
    // Those without content do not count.
    await store.commit([...more(KEPT_MESSAGES - 2, 'aa'), ...more(5, null)]);
    await stream(record('s1', 2));
    await stream(record('s2', 3));
    expect((await parked('s1'))?.message).not.toBeNull();
    expect(await parked('s2')).toMatchObject({ message: null, keyId: null });
  });

  it('looks for parked ones of its agent once in a session, until one is parked', async () => {
    const looks: string[] = [];
    store.beforeGet = async (table) => void looks.push(table);
    store.beforeFind = store.beforeGet;
    for (const at of [1, 2]) await stream(record(`s${at}`, at));
    const ofParked = () => looks.splice(0).filter((table) => table === 'parked').length;
    expect(ofParked()).toBe(1);
    fault = new OutsidePolicyError('x');
    await stream(record('s3', 3));
    ofParked();
    await stream(record('s4', 4));
    expect(ofParked()).toBeGreaterThan(0);
    // What was there before the session counts as well.
    expect(await handler.stream(record('s3', 3), { ...SESSION }, false)).toMatchObject({ kind: 'parked' });
  });

  it('waits where it cannot be seen whether one is parked, and is looked at again', async () => {
    store.beforeFind = async (table) => {
      if (table === 'parked') throw new StoreUnavailableError('disk-full', 'x');
    };
    expect(await stream(record('s1'))).toEqual(LATER);
    store.beforeFind = async () => undefined;
    expect(await stream(record('s1'))).toMatchObject({ kind: 'acknowledgement' });
  });

  it('without a terminal is kept whole', async () => {
    const { pos: _, ...without } = offline('R-s1');
    expect(await stream(item('offlineRecord', 's1', 1, without))).toMatchObject({ kind: 'parked' });
    const kept = decodeEnvelope(await messageOf(await parked('s1'))) as Envelope<'offlineRecord'>;
    expect(kept).toMatchObject({ id: 's1', kind: 'offlineRecord', body: { reference: 'R-s1' } });
  });

  it('waits behind a parked one of its own sale', async () => {
    fault = new OutsidePolicyError('the store may not');
    expect(await stream(record('s1'))).toEqual({
      kind: 'parked',
      reasonCode: 'outside-policy',
      reason: 'the store may not do this: the store may not',
    });
    fault = undefined;
    const capture = item('capture', 's2', 2, {
      originalMessageId: 's1',
      reference: 'R-s1',
      amount: { minor: 1, currency: 'EUR' },
      final: true,
    });
    expect(await stream(capture)).toMatchObject({
      reasonCode: 'behind-parked',
      reason: expect.stringMatching(/: s1$/),
    });
    expect(await stream(item('reversal', 's3', 3, { ...reversal('s1'), reference: 'R-s1' }))).toMatchObject({
      kind: 'acknowledgement',
      outcome: { disposition: Disposition.NOTHING_TO_REVERSE },
    });
  });

  it('is not parked behind one that is resolved in this moment', async () => {
    fault = new OutsidePolicyError('the store may not');
    await stream(record('s1'));
    fault = undefined;
    const capture = item('capture', 's2', 2, {
      originalMessageId: 's1',
      reference: 'R-s1',
      amount: { minor: 1, currency: 'EUR' },
      final: true,
    });
    store.beforeCommit = async () => {
      store.beforeCommit = async () => undefined;
      const row = await parked('s1');
      if (row) await store.commit([{ op: 'update', table: 'parked', row: { ...row, state: 'resolved' } }]);
    };
    expect(await stream(capture)).toEqual(LATER);
    expect(await parked('s2')).toBeUndefined();
    expect(await stream(capture)).toMatchObject({ kind: 'acknowledgement' });
  });

  it('that fails counts, and is parked the last time', async () => {
    fault = new Error('a mistake of ours');
    expect(await stream(record('s1'))).toEqual({ kind: 'later', failed: true });
    expect(await parked('s1')).toBeUndefined();
    expect(await stream(record('s1'), true)).toEqual({
      kind: 'parked',
      reasonCode: 'handling-failed',
      reason: 'the message failed again and again',
    });
    expect(log.map(([level, text]) => `${level} ${text}`)).toEqual([
      'error message failed',
      'error message failed',
      'error message parked',
    ]);
  });

  it('that a mistake of ours keeps from being read is none that is malformed', async () => {
    const body = offline('R-s1');
    const { amount } = body;
    let reads = 0;
    const mistake = Object.defineProperty(body, 'amount', {
      get: () => {
        reads += 1;
        if (reads === 1) throw new Error('a mistake of ours');
        return amount;
      },
    });
    expect(await stream(item('offlineRecord', 's1', 1, mistake))).toEqual({ kind: 'later', failed: true });
    expect(await parked('s1')).toBeUndefined();
  });

  it('that cannot even be parked is tried again, and of an older session never', async () => {
    fault = new Error('a mistake of ours');
    store.failWhen = (changes) => changes.some((each) => each.op === 'insert' && each.table === 'parked');
    expect(await stream(record('s1'), true)).toEqual({ kind: 'later', failed: true });
    expect(log.map(([level, text]) => `${level} ${text}`)).toEqual([
      'error message failed',
      'warn message must wait',
    ]);
    store.failWhen = () => false;
    store.beforeCommit = () =>
      Promise.reject(new CommitConflict({ kind: 'field', table: 'agents', on: 'epoch' }));
    expect(await stream(record('s1'), true)).toEqual({ kind: 'stale' });
    // Another conflict is none of the session.
    for (const conflict of [
      { kind: 'unique', table: 'parked', on: 'primary' },
      { kind: 'version', table: 'agents', on: 'version' },
    ] as const) {
      store.beforeCommit = () => Promise.reject(new CommitConflict(conflict));
      expect(await stream(record('s1'), true)).toEqual({ kind: 'later', failed: true });
    }
    store.beforeCommit = async () => undefined;
    fault = new StaleSessionError();
    expect(await stream(record('s1'), true)).toEqual({ kind: 'stale' });
  });
});

describe('a message that cannot be decided', () => {
  const tryAt = async (afterMs: number, error: Error, id = 's1') => {
    fault = error;
    await harness.clock.advance(afterMs);
    return stream(record(id));
  };
  const undecided = new TryLaterError('the original has no outcome');

  it('blocks its stream for a limited time, even at its last try, and is parked then', async () => {
    fault = undecided;
    expect(await stream(record('s1'), true)).toEqual(LATER);
    expect(await tryAt(1_999, undecided)).toEqual(LATER);
    expect(await tryAt(1, undecided)).toEqual({
      kind: 'parked',
      reasonCode: 'blocked',
      reason: 'the message could not be decided for too long: the original has no outcome',
    });
  });

  it('blocks no other stream', async () => {
    expect(await tryAt(0, undecided)).toEqual(LATER);
    expect(await tryAt(1_500, undecided)).toEqual(LATER);
    // Of another agent, at a terminal of the same name.
    const other = { ...SESSION, agentId: 'store-2' };
    expect(await handler.stream(record('s1'), other, false)).toEqual(LATER);
    expect(await tryAt(500, undecided)).toMatchObject({ kind: 'parked' });
  });

  it.each<[string, Error]>([
    ['the store', new StoreUnavailableError('disk-full', 'x')],
    ['what all messages need', new OutageError('x')],
  ])('waits as long as %s is away', async (_what, outage) => {
    for (let tried = 0; tried < 5; tried += 1) expect(await tryAt(2_000, outage)).toEqual(LATER);
  });

  it('is parked in the end where no acquirer can be away', async () => {
    const { service, clock } = harness;
    const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
    handler = new MessageHandler({
      service: failing(service),
      store,
      clock,
      seal,
      log: quiet,
      limits: LIMITS,
    });
    expect(await tryAt(0, undecided)).toEqual(LATER);
    expect(await tryAt(2_000, undecided)).toMatchObject({ reasonCode: 'blocked' });
  });

  it('waits as long as the acquirer is away', async () => {
    silent = true;
    for (let tried = 0; tried < 5; tried += 1) expect(await tryAt(2_000, undecided)).toEqual(LATER);
    silent = false;
    expect(await tryAt(2_000, undecided)).toMatchObject({ reasonCode: 'blocked' });
  });
});

it('passes by itself where what it needs is away for a time', () => {
  const conflict = new CommitConflict({ kind: 'version', table: 'agents', on: 'version' });
  const away = new StoreUnavailableError('disk-full', 'x');
  for (const error of [new TryLaterError('x'), new OutageError('x'), away, conflict])
    expect(isPassing(error), error.name).toBe(true);
  for (const error of [new OutsidePolicyError('x'), new Error('x')])
    expect(isPassing(error), error.name).toBe(false);
});

async function messageOf(row: ParkedRow | undefined): Promise<Buffer> {
  if (!row || row.message === null || row.keyId === null) throw new Error('nothing was kept');
  return seal.open(row.agentId, row.messageId, { message: row.message, keyId: row.keyId });
}
