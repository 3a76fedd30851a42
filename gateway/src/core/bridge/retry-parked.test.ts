import { encodeEnvelope } from '@tillbridge/wire/bridge/codec.js';
import { Disposition, type Envelope, type Outcome, SaleType } from '@tillbridge/wire/bridge/messages.js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { raiseAlert } from '../../kernel/alerts/alert-changes.js';
import { openAlerts } from '../../kernel/alerts/alerts.test.support.js';
import type { ParkedRow, Rows } from '../../kernel/store/rows.js';
import type { Change } from '../../kernel/store/store.js';
import { MemoryStore } from '../../kernel/store/testing/memory-store.js';
import { keyOf } from '../../kernel/store/working-set.js';
import { exampleIccData } from '../../security/module/card-example.test.support.js';
import { MessageSeal } from '../../security/vault/message-seal.js';
import { testKeyRing } from '../../security/vault/testing/test-key-ring.js';
import {
  AGENT,
  ENTITY,
  FailingStore,
  NOW_MS,
  openPaymentHarness,
  type PaymentHarness,
  VISA,
} from '../payments/payment-harness.test.support.js';
import type { PaymentService } from '../payments/payment-service.js';
import type { FollowUpRequest, PaymentRequest } from '../payments/rules/requests.js';
import { RETRY_LIMITS, retryParked } from './retry-parked.js';
import { BEAT, chip, offline, reversal } from './wire-examples.test.support.js';

const seal = new MessageSeal(testKeyRing());

// One harness for all: each test has its own messages, and leaves nothing else.
let harness: PaymentHarness;
let store: FailingStore;
let run = 0;
/** Id of a message of this test. */
const s = (at: number): string => `s${at}-${run}`;
let logged: string[];
let acknowledged: [agentId: string, messageId: string, outcome: Outcome][];
beforeAll(async () => {
  store = new FailingStore(new MemoryStore());
  harness = await openPaymentHarness(() => store);
});
beforeEach(() => {
  run += 1;
  logged = [];
  acknowledged = [];
});
afterEach(async () => {
  const idle = new FailingStore(store);
  for (const part of ['failWhen', 'beforeCommit', 'beforeGet'] as const)
    Object.assign(store, { [part]: idle[part] });
  for (const table of ['parked', 'storePolicies', 'nodes'] as const)
    for (const row of await store.findAfter(table, undefined)) await store.commit([gone(table, row)]);
  const agent = await store.get('agents', [AGENT]);
  if (agent)
    await store.commit([{ op: 'update', table: 'agents', row: { ...agent, epoch: 1, nodeId: null } }]);
});
afterAll(() => harness.dispose());

function gone(table: 'parked' | 'storePolicies' | 'nodes', row: Rows[typeof table]): Change {
  return { op: 'delete', table, key: keyOf(table, row as never), version: row.version };
}

/** A row of a message that an operator has chosen. */
function wanted(messageId: string, more: Partial<ParkedRow> = {}): ParkedRow {
  return {
    agentId: AGENT,
    terminalId: '1',
    messageId,
    kind: 'offlineRecord',
    sequence: 1,
    reference: messageId,
    reasonCode: 'handling-failed',
    reason: 'r',
    note: null,
    state: 'retry',
    message: null,
    keyId: null,
    createdAtMs: 1,
    version: 1,
    ...more,
  };
}

/** The columns of a message that is kept. */
const sealed = (id: string, content: Pick<Envelope, 'kind' | 'body'>, sequence = 1) =>
  seal.seal(AGENT, id, encodeEnvelope({ id, terminalId: '1', sequence, ...content } as Envelope));
const record = (id: string, more: Parameters<typeof offline>[1] = {}) =>
  sealed(id, { kind: 'offlineRecord', body: approvedOffline(`R-${id}`, more) });
/** A sale that the card approved offline, by its counter of this test. */
const approvedOffline = (reference: string, more: Parameters<typeof offline>[1] = {}) => {
  const iccData = exampleIccData({
    scheme: 'visa',
    pan: VISA,
    type: 'TC',
    atc: run.toString(16).padStart(4, '0'),
  });
  return offline(reference, { pos: { ...chip('TC', '1', reference), iccData }, ...more });
};

const keep = (...rows: ParkedRow[]) =>
  store.commit(rows.map((row): Change => ({ op: 'insert', table: 'parked', row })));
const kept = (messageId: string) => store.get('parked', [AGENT, messageId]);
const states = async () => (await store.findAfter('parked', undefined)).map(({ state }) => state);

function tryAgain(more: Partial<Parameters<typeof retryParked>[0]> = {}): Promise<void> {
  const log = (level: string) => (about: object, text: string) => {
    logged.push(`${level} ${text} ${JSON.stringify(about)}`);
  };
  return retryParked({
    ...{ store, service: harness.service, seal, clock: harness.clock },
    log: { info: log('info'), warn: log('warn'), error: log('error') },
    acknowledge: (...what) => void acknowledged.push(what),
    ...more,
  });
}

describe('a parked message that an operator has chosen', () => {
  it('is carried out, and its outcome is kept, logged and sent', async () => {
    const alert = raiseAlert(
      { code: 'message-parked', subject: `${AGENT}/${s(1)}`, entityId: ENTITY, detail: 'd' },
      NOW_MS,
    );
    await store.commit([alert]);
    await keep(wanted(s(1), record(s(1))));
    await tryAgain();
    expect(await kept(s(1))).toEqual({
      ...wanted(s(1)),
      state: 'resolved',
      note: 'approved 000.100.110',
      version: 2,
    });
    expect(await openAlerts(store)).toEqual([]);
    expect(logged).toEqual([
      `info parked message resolved {"agentId":"${AGENT}","messageId":"${s(1)}","disposition":"approved","resultCode":"000.100.110"}`,
    ]);
    expect(acknowledged).toMatchObject([[AGENT, s(1), { disposition: Disposition.APPROVED }]]);
    expect(await harness.transactions()).toContainEqual(
      expect.objectContaining({ messageId: s(1), kind: 'advice', approved: true }),
    );
  });

  it('is carried out although it has become too old meanwhile', async () => {
    const bounds = { limits: { EUR: { perSaleMinor: 9_000, sumMinor: 9_000 } }, maxCount: 9 };
    const policy = JSON.stringify({ version: 1, offline: { ...bounds, deferred: bounds, maxAgeMs: 1 } });
    const row = { entityId: ENTITY, policy, updatedAtMs: 1, version: 1 };
    await store.commit([{ op: 'insert', table: 'storePolicies', row }]);
    await keep(wanted(s(1), record(s(1), { ageMs: 90 * 86_400_000 })));
    await tryAgain();
    expect(await kept(s(1))).toMatchObject({ state: 'resolved', note: 'approved 000.100.110' });
  });

  it('is a reversal, too', async () => {
    await keep(
      wanted(s(1), { kind: 'reversal', ...sealed(s(1), { kind: 'reversal', body: reversal('m1') }) }),
    );
    await tryAgain();
    expect(await kept(s(1))).toMatchObject({ state: 'resolved' });
    expect(acknowledged).toMatchObject([[AGENT, s(1), { disposition: Disposition.NOTHING_TO_REVERSE }]]);
  });

  it('that was made with the gateway gets no age', async () => {
    const requests: object[] = [];
    const { service } = harness;
    const recording: PaymentService = Object.assign(Object.create(service), {
      authorize: (request: PaymentRequest) => {
        requests.push(request);
        return service.authorize(request);
      },
      followUp: (request: FollowUpRequest) => {
        requests.push(request);
        return service.followUp(request);
      },
    });
    const voice = {
      ...{ originalMessageId: 'm1', reference: s(1), type: SaleType.SALE, approvalCode: 'AB12' },
      amount: { minor: 1_234, currency: 'EUR' },
    };
    await keep(
      wanted(s(1), {
        kind: 'voiceAuthorization',
        ...sealed(s(1), { kind: 'voiceAuthorization', body: voice }),
      }),
      wanted(s(2), { kind: 'reversal', ...sealed(s(2), { kind: 'reversal', body: reversal('m1') }) }),
    );
    await tryAgain({ service: recording });
    expect(requests).toHaveLength(2);
    for (const request of requests) expect(request).not.toHaveProperty('offline');
  });

  it('is one of so many in a round', async () => {
    await keep(...Array.from({ length: RETRY_LIMITS.batch + 1 }, (_, at) => wanted(s(at))));
    await tryAgain();
    expect((await states()).filter((state) => state === 'retry')).toHaveLength(1);
    await tryAgain();
    expect(await states()).not.toContain('retry');
  });

  it.each([
    ['agent is gone', { agentId: 'gone' }],
    ['turn has not come', { state: 'waiting' }],
  ] as const)('stays as it is where its %s', async (_, more) => {
    const row = wanted(s(1), { ...record(s(1)), ...more });
    await keep(row);
    await tryAgain();
    expect(await store.findAfter('parked', undefined)).toEqual([row]);
    expect(logged).toEqual([]);
  });
});

describe('a message that fails again', () => {
  it.each<[string, () => Partial<ParkedRow>, string | RegExp]>([
    ['was not kept', () => ({}), 'the message was not kept'],
    ['was kept without its key', () => ({ ...record(s(1)), keyId: null }), 'the message was not kept'],
    ['was kept without its text', () => ({ ...record(s(1)), message: null }), 'the message was not kept'],
    ['was sealed for another one', () => record(s(2)), 'the kept message cannot be opened'],
    [
      'stands in no stream',
      () => sealed(s(1), { kind: 'heartbeat', body: BEAT }),
      'heartbeat stands in no stream',
    ],
    ['cannot be read', () => seal.seal(AGENT, s(1), Uint8Array.of(1, 2)), /^(?!an unexpected failure)/],
    ['cannot be translated', () => record(s(1), { kind: 0 }), /kind must be/],
  ])('because it %s waits with the reason', async (_, message, reason) => {
    await keep(wanted(s(1), message()));
    await tryAgain();
    const { note = '', ...row } = (await kept(s(1))) ?? {};
    expect(row).toMatchObject({ state: 'waiting', reasonCode: 'handling-failed', version: 2 });
    expect(note).toMatch(/^tried again: /);
    expect(note?.slice('tried again: '.length)).toMatch(reason);
    expect(logged).toEqual([
      expect.stringMatching(
        new RegExp(`^error parked message failed again \\{"agentId":"${AGENT}","messageId":"${s(1)}","err":`),
      ),
    ]);
    expect(acknowledged).toEqual([]);
  });

  it('because of a fault of ours waits, and its note has nothing of the fault', async () => {
    const service = Object.assign(Object.create(harness.service), {
      authorize: () => Promise.reject(new Error('card 4200000000000000')),
    });
    await keep(wanted(s(1), record(s(1))));
    await tryAgain({ service });
    expect(await kept(s(1))).toMatchObject({
      state: 'waiting',
      note: 'tried again: an unexpected failure, see the log',
    });
  });

  it('because the policy of the store does not allow it waits with the limit', async () => {
    const bounds = { limits: { EUR: { perSaleMinor: 1_000, sumMinor: 9_000 } }, maxCount: 9 };
    const policy = JSON.stringify({ version: 1, offline: { ...bounds, deferred: bounds, maxAgeMs: 1 } });
    const row = { entityId: ENTITY, policy, updatedAtMs: 1, version: 1 };
    await store.commit([{ op: 'insert', table: 'storePolicies', row }]);
    await keep(wanted(s(1), record(s(1))));
    await tryAgain();
    expect((await kept(s(1)))?.note).toContain('at most 10.00 EUR');
  });

  it('because it cannot be decided now is tried in the next round', async () => {
    const row = wanted(s(1), record(s(1)));
    await keep(row);
    harness.line.cut = true;
    await tryAgain();
    expect(await kept(s(1))).toEqual(row);
    expect(logged).toEqual([]);
    harness.line.cut = false;
    await tryAgain();
    expect(await states()).toEqual(['resolved']);
  });

  it('because its agent has a newer session by then is tried in the next round', async () => {
    const row = wanted(s(1), record(s(1)));
    await keep(row);
    let isRead = false;
    store.beforeGet = async (table) => {
      // The second read of the agent is that of the service.
      if (table !== 'agents' || isRead) return;
      isRead = true;
      const agent = await store.get('agents', [AGENT]);
      store.beforeCommit = async () => {
        store.beforeCommit = async () => undefined;
        if (agent)
          await store.commit([{ op: 'update', table: 'agents', row: { ...agent, epoch: agent.epoch + 1 } }]);
      };
    };
    await tryAgain();
    expect(await kept(s(1))).toEqual(row);
    expect(logged).toEqual([]);
  });

  it('is left to the next round where its row changed meanwhile', async () => {
    await keep(wanted(s(1)));
    store.beforeCommit = async () => {
      store.beforeCommit = async () => undefined;
      await store.commit([{ op: 'update', table: 'parked', row: wanted(s(1), { state: 'resolved' }) }]);
    };
    await tryAgain();
    expect(await kept(s(1))).toMatchObject({ state: 'resolved', version: 2 });
  });

  it('ends the round where the store is away', async () => {
    await keep(wanted(s(1)));
    store.failWhen = () => true;
    await expect(tryAgain()).rejects.toThrow('disk');
    store.failWhen = () => false;
    expect(await states()).toEqual(['retry']);
  });
});

describe('of one sale', () => {
  const SALE = () => ({ reference: `sale-${run}` });
  const first = (more: Partial<ParkedRow> = {}) =>
    wanted(s(1), {
      ...SALE(),
      ...sealed(s(1), { kind: 'offlineRecord', body: approvedOffline(SALE().reference) }),
      ...more,
    });
  const second = (more: Partial<ParkedRow> = {}) => wanted(s(2), { ...SALE(), sequence: 2, ...more });

  it('a message waits for one before it that is parked', async () => {
    await keep(first({ state: 'waiting' }), second());
    await tryAgain();
    expect(await kept(s(2))).toEqual({
      ...second(),
      state: 'waiting',
      reasonCode: 'behind-parked',
      note: `waits for ${s(1)}, an earlier message of the sale`,
      version: 2,
    });
  });

  it('a message does not wait for one that was resolved in that moment', async () => {
    const row = first({ state: 'waiting' });
    await keep(row, second());
    store.beforeCommit = async () => {
      store.beforeCommit = async () => undefined;
      await store.commit([{ op: 'update', table: 'parked', row: { ...row, state: 'resolved' } }]);
    };
    await tryAgain();
    expect(await kept(s(2))).toEqual(second());
  });

  it('one that is to be tried as well follows in the same round', async () => {
    const body = approvedOffline(SALE().reference);
    const row = second({ reasonCode: 'behind-parked', ...sealed(s(2), { kind: 'offlineRecord', body }, 2) });
    await keep(first(), row);
    await tryAgain();
    expect(await states()).toEqual(['resolved', 'resolved']);
  });

  it('those that waited for a resolved one are tried next, and no others', async () => {
    const behind = { state: 'waiting', reasonCode: 'behind-parked' } as const;
    await keep(
      first(),
      second(behind),
      wanted(s(3), { ...SALE(), sequence: 3, state: 'waiting' }),
      wanted(s(4), { reference: 'another', sequence: 4, ...behind }),
    );
    await tryAgain();
    expect(await states()).toEqual(['resolved', 'retry', 'waiting', 'waiting']);
  });
});

describe('a message of an agent', () => {
  const at = async (nodeId: string | null): Promise<void> => {
    const agent = await store.get('agents', [AGENT]);
    if (agent) await store.commit([{ op: 'update', table: 'agents', row: { ...agent, nodeId } }]);
  };
  const node = { id: 'here' };

  it.each([
    ['of no node', null, 'resolved'],
    ['of this node', 'here', 'resolved'],
    ['of a node that has ended', 'gone', 'resolved'],
    ['of another node', 'there', 'retry'],
  ])('%s', async (_, nodeId, state) => {
    for (const id of ['here', 'there']) {
      const row = { id, renewedAtMs: 0, startedAtMs: 0, version: 1 };
      await store.commit([{ op: 'insert', table: 'nodes', row }]);
    }
    await at(nodeId);
    await keep(wanted(s(1), record(s(1))));
    await tryAgain({ node });
    expect(await states()).toEqual([state]);
  });

  it('of another node is that of the only one, where there are no others', async () => {
    const row = { id: 'there', renewedAtMs: 0, startedAtMs: 0, version: 1 };
    await store.commit([{ op: 'insert', table: 'nodes', row }]);
    await at('there');
    await keep(wanted(s(1), record(s(1))));
    await tryAgain();
    expect(await states()).toEqual(['resolved']);
  });
});
