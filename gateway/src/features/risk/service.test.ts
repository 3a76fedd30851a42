import { expect, test } from 'vitest';
import type { WaitRow } from '../../kernel/store/rows.js';
import { MemoryStore } from '../../kernel/store/testing/memory-store.js';
import { carryOutReviews, listReviews, REVIEW_LIMITS } from './service.js';

const waitOf = (at: number, own: Partial<WaitRow>): WaitRow => ({
  paymentId: `p${at}`,
  entityId: 'other',
  intentId: `i${at}`,
  kind: 'redirect',
  shopperResultUrl: null,
  checkoutId: null,
  redirect: null,
  sealed: null,
  keyId: null,
  untilMs: at + 1,
  dueAtMs: at + 1,
  leasedBy: null,
  claims: 0,
  endedAtMs: null,
  createdAtMs: 0,
  version: 1,
  ...own,
});

test('lists the reviews of an entity behind any number of waits of others', async () => {
  const store = new MemoryStore();
  const others = Array.from({ length: REVIEW_LIMITS.list + 1 }, (_none, at) =>
    waitOf(at, at % 2 === 0 ? {} : { kind: 'review' }),
  );
  const own = [
    waitOf(9_001, { entityId: 'own', kind: 'review' }),
    waitOf(9_000, { entityId: 'own2', kind: 'review' }),
    waitOf(9_002, { entityId: 'own', kind: 'review', untilMs: null }),
    waitOf(9_003, { entityId: 'own' }),
  ];
  await store.commit([...others, ...own].map((row) => ({ op: 'insert', table: 'waits', row }) as const));
  const listed = await listReviews(store, ['own', 'own2']);
  expect(listed.map(({ paymentId }) => paymentId)).toEqual(['p9000', 'p9001']);
  const all = await listReviews(store);
  expect(all).toHaveLength(REVIEW_LIMITS.list / 2 + 2);
  expect(await listReviews(store, [])).toEqual([]);
});

test('carries out a decision behind any number that cannot be carried out', async () => {
  const store = new MemoryStore();
  const ids = Array.from({ length: 1_200 }, (_none, at) => String(at).padStart(5, '0'));
  const last = ids.at(-1) ?? '';
  await store.commit(
    ids.map((paymentId) => ({
      op: 'insert',
      table: 'reviewDecisions',
      row: {
        paymentId,
        entityId: 'own',
        decision: 'released',
        state: 'made',
        actor: 'anna',
        note: '',
        createdAtMs: 0,
        version: 1,
      },
    })),
  );
  const goOn = async (paymentId: string) => {
    if (paymentId !== last) throw new Error('stuck');
  };
  let faults = 0;
  const alerts = { raise: () => Promise.reject(new Error('no alert')) };
  const reverse = () => Promise.reject(new Error('nothing to reverse'));
  await carryOutReviews({ store, goOn, reverse, alerts, onFault: () => (faults += 1) });
  expect(faults).toBe(ids.length - 1);
  expect((await store.get('reviewDecisions', [last]))?.state).toBe('carried-out');
});
