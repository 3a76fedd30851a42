import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { beforeEach, describe, expect, it } from 'vitest';
import { TryLaterError } from '../../../kernel/errors/try-later-error.js';
import type { Owner } from '../../../kernel/nodes/node-lease.js';
import type { IntentRow } from '../../../kernel/store/rows.js';
import { MemoryStore } from '../../../kernel/store/testing/memory-store.js';
import { ENTITY, FailingStore, message } from '../payment-harness.test.support.js';
import { BEGIN_LIMIT_MS, type BeginContext, beginGuards, leftToBeginMs, ofRequest } from './begin-in-time.js';
import { asNow, asOpen, assertHeld, isElsewhere, ownerGuard, takeOver } from './own-intents.js';

const PAYMENT = 'c'.repeat(32);
const GUARD = (id: string) => ({ op: 'require-field', table: 'nodes', key: [id], column: 'id', equals: id });

/** A node that holds its lease, or none, and that sees others as ended. */
function nodeOf(id: string, { ended = [] as readonly string[], held = true, isNow = false } = {}): Owner {
  const own: Owner = {
    id,
    othersEnded: ended.length,
    guard: () => ({ op: 'require-field', table: 'nodes', key: [id], column: 'id', equals: id }),
    isHeld: () => held,
    mayTake: async (owner) => owner === null || owner === id || ended.includes(owner),
    asNow: () => (isNow ? own : nodeOf(`${id} as now`, { ended, held, isNow: true })),
  };
  return own;
}

const INTENT: IntentRow = {
  id: PAYMENT,
  paymentId: PAYMENT,
  entityId: ENTITY,
  agentId: null,
  messageId: null,
  state: 'open',
  reference: null,
  kind: 'authorization',
  rootId: null,
  owner: 'gone',
  detail: '{}',
  createdAtMs: 1,
  version: 1,
};

describe('a request', () => {
  const clock = new VirtualClock();

  it('begins with the lease that its node has now, within the limit', async () => {
    const given: BeginContext = { clock, node: nodeOf('a') };
    const context = ofRequest(given);
    expect(context.node?.id).toBe('a as now');
    expect(context.beginsByMs).toBe(clock.monotonicMs() + BEGIN_LIMIT_MS);
    expect(ofRequest({ clock })).not.toHaveProperty('node');
  });

  it('has so long until it begins', async () => {
    const context = ofRequest({ clock });
    expect(leftToBeginMs(context)).toBe(BEGIN_LIMIT_MS);
    await clock.advance(BEGIN_LIMIT_MS - 1);
    expect(leftToBeginMs(context)).toBe(1);
    await clock.advance(2);
    expect(leftToBeginMs(context)).toBe(0);
    // What has begun is bound by nothing.
    expect(leftToBeginMs({ clock })).toBe(BEGIN_LIMIT_MS);
  });

  it('begins under the guards of its message and its node, and not after its time', async () => {
    const context = ofRequest({ clock, node: nodeOf('a') });
    const origin = { kind: 'rest', entityId: ENTITY, paymentId: PAYMENT } as const;
    expect(beginGuards(context, origin)).toEqual([
      { op: 'require-absent', table: 'payments', index: 'primary', values: [PAYMENT] },
      GUARD('a as now'),
    ]);
    expect(beginGuards(ofRequest({ clock }), message('m1'))).toContainEqual(
      expect.objectContaining({ op: 'require-absent', table: 'tombstones' }),
    );
    await clock.advance(BEGIN_LIMIT_MS - 1);
    expect(beginGuards(context, origin)).toHaveLength(2);
    await clock.advance(1);
    expect(() => beginGuards(context, origin)).toThrow(TryLaterError);
  });
});

describe('an intent', () => {
  let store: FailingStore;
  beforeEach(async () => {
    store = new FailingStore(new MemoryStore());
    await store.commit([{ op: 'insert', table: 'intents', row: INTENT }]);
    for (const id of ['a', 'b']) {
      const row = { id, renewedAtMs: 0, startedAtMs: 0, version: 1 };
      await store.commit([{ op: 'insert', table: 'nodes', row }]);
    }
  });
  const stored = () => store.get('intents', [PAYMENT]);
  const ended = { ended: ['gone'] };

  it('is opened as one of its node, or of none', () => {
    const done = { ...INTENT, state: 'done' } as const;
    expect(asOpen({ node: nodeOf('a') }, done)).toEqual({ ...INTENT, owner: 'a' });
    expect(asOpen({}, done)).toEqual({ ...INTENT, owner: null });
    expect(ownerGuard({ node: nodeOf('a') })).toEqual([GUARD('a')]);
    expect(ownerGuard({})).toEqual([]);
    expect(asNow({ node: nodeOf('a') }).node.id).toBe('a as now');
    expect(asNow({})).toEqual({});
  });

  it.each([
    ['of another node that works', { node: nodeOf('a') }, true],
    ['of a node that has ended', { node: nodeOf('a', ended) }, false],
    ['of the only node', {}, false],
  ])('%s: whether it is elsewhere', async (_, context, isThere) => {
    expect(await isElsewhere(context, INTENT)).toBe(isThere);
  });

  it('is taken over from a node that has ended, under the guard of this one', async () => {
    const taken = await takeOver({ node: nodeOf('a', ended), store }, INTENT);
    expect(taken).toEqual({ ...INTENT, owner: 'a', version: 2 });
    expect(await stored()).toEqual(taken);
  });

  it.each([
    ['done', { state: 'done' }, nodeOf('a', ended)],
    ['open at this node', { owner: 'a' }, nodeOf('a', ended)],
    ['open at the only node', {}, undefined],
  ] as const)('that is %s is given as it is', async (_, more, node) => {
    const intent = { ...INTENT, ...more };
    expect(await takeOver({ store, ...(node && { node }) }, intent)).toEqual(intent);
    expect(await stored()).toEqual(INTENT);
  });

  it('is left to another node that works on it', async () => {
    expect(await takeOver({ node: nodeOf('a'), store }, INTENT)).toBeUndefined();
    expect(await stored()).toEqual(INTENT);
  });

  it.each([
    ['has taken it over', { owner: 'b' }, undefined],
    ['has ended it', { state: 'done', owner: 'b' }, 'done'],
  ] as const)('is not taken over where another node %s in that moment', async (_, more, state) => {
    store.beforeCommit = async () => {
      store.beforeCommit = async () => undefined;
      await store.commit([{ op: 'update', table: 'intents', row: { ...INTENT, ...more } }]);
    };
    expect((await takeOver({ node: nodeOf('a', ended), store }, INTENT))?.state).toBe(state);
    expect(await stored()).toMatchObject(more);
  });

  it('is not taken over where it was removed in that moment', async () => {
    store.beforeCommit = async () => {
      store.beforeCommit = async () => undefined;
      await store.commit([{ op: 'delete', table: 'intents', key: [PAYMENT], version: 1 }]);
    };
    expect(await takeOver({ node: nodeOf('a', ended), store }, INTENT)).toBeUndefined();
  });

  it('is not taken over by a node that has lost its lease', async () => {
    expect(await takeOver({ node: nodeOf('lost', ended), store }, INTENT)).toBeUndefined();
    expect(await stored()).toEqual(INTENT);
  });

  it('is not taken over while the store is away', async () => {
    store.failWhen = () => true;
    await expect(takeOver({ node: nodeOf('a', ended), store }, INTENT)).rejects.toThrow('disk');
  });

  it('is sent only while the lease of its node holds', () => {
    expect(() => assertHeld({ node: nodeOf('a', { held: false }) }, PAYMENT)).toThrow(TryLaterError);
    expect(() => assertHeld({ node: nodeOf('a') }, PAYMENT)).not.toThrow();
    expect(() => assertHeld({}, PAYMENT)).not.toThrow();
  });
});
