import { systemRandom as random } from '@tillbridge/platform/system-random.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  type Answer,
  CARD,
  type HttpHarness,
  openHttpHarness,
} from '../../../app/http/http-harness.test.support.js';
import { LEASE_LIMITS } from '../../../kernel/nodes/lease-limits.js';
import { NodeLease } from '../../../kernel/nodes/node-lease.js';
import type { IdempotencyRow } from '../../../kernel/store/rows.js';
import type { Store } from '../../../kernel/store/store.js';
import { ENTITY, NOW_MS } from '../../payments/payment-harness.test.support.js';

const OVER_MS = LEASE_LIMITS.leaseMs + LEASE_LIMITS.renewMs;
const KEY = 'order-1';

let harness: HttpHarness;
let own: NodeLease;
/** Another node on the same store; its clock stands until it is moved. */
let other: NodeLease;
let otherClock: VirtualClock;
beforeEach(async () => {
  const begin = (store: Store, clock: VirtualClock) =>
    NodeLease.begin({ store, clock, random, isSingleNode: false, onFault: () => undefined });
  harness = await openHttpHarness(undefined, {
    startNode: async ({ store, clock }) => {
      own = await begin(store, clock);
      otherClock = new VirtualClock(NOW_MS);
      other = await begin(store, otherClock);
      return own;
    },
  });
});
afterEach(async () => {
  await other.end();
  await own.end();
  await harness.dispose();
});

function pay(): Promise<Answer> {
  const body = new URLSearchParams({ entityId: ENTITY, ...CARD }).toString();
  return harness.send('POST', '/v1/payments', { body, headers: { 'idempotency-key': KEY } });
}

async function row(): Promise<IdempotencyRow> {
  const found = await harness.store.get('idempotency', [ENTITY, KEY]);
  if (!found) throw new Error('the key has no row');
  return found;
}

/** A request that has no final answer yet, as if the other node had taken it. */
async function claimedByOther(change: Partial<IdempotencyRow> = {}): Promise<void> {
  const taken = { ...(await row()), ...change, owner: other.id };
  await harness.store.commit([{ op: 'update', table: 'idempotency', row: taken }]);
}

it('holds the key while the request runs, and gives it back with any answer', async () => {
  let release = (): void => undefined;
  harness.line.gate = new Promise((resolve) => {
    release = resolve;
  });
  const paying = pay();
  await expect.poll(() => harness.line.sent.length).toBe(1);
  expect(await row()).toMatchObject({ owner: own.id, httpStatus: null });
  release();
  expect((await paying).status).toBe(200);
  expect(await row()).toMatchObject({ owner: null, httpStatus: 200 });
});

it('holds the key again while a request goes on with a pending payment', async () => {
  harness.line.cut = true;
  await pay();
  harness.line.cut = false;
  let release = (): void => undefined;
  harness.line.gate = new Promise((resolve) => {
    release = resolve;
  });
  const going = pay();
  await expect.poll(async () => (await row()).owner).toBe(own.id);
  release();
  expect((await going).status).toBe(400);
  expect(await row()).toMatchObject({ owner: null, httpStatus: 400 });
});

it('gives the key back without a final answer, too', async () => {
  harness.line.cut = true;
  expect((await pay()).body.result.code).toBe('000.200.001');
  expect(await row()).toMatchObject({ owner: null, httpStatus: null });
});

it('answers a client with try later while another node works on its request, and goes on once that node is gone', async () => {
  harness.line.cut = true;
  const first = await pay();
  harness.line.cut = false;
  await claimedByOther();
  const second = await pay();
  expect(second).toMatchObject({ status: 409, body: { result: { code: '800.600.100' } } });
  expect(second.headers.get('retry-after')).toBe('1');
  await harness.clock.advance(OVER_MS);
  const third = await pay();
  // The acquirer never saw the request: it was made to refuse it.
  expect(third.body).toMatchObject({ id: first.body.id, result: { code: '900.100.301' } });
  expect(harness.line.sent.filter(({ kind }) => kind === 'authorization')).toHaveLength(1);
  expect(await row()).toMatchObject({ owner: null });
});

it('answers for a node that made the payment and could not store the answer', async () => {
  const first = await pay();
  await claimedByOther({ httpStatus: null, answer: null });
  expect(await pay()).toMatchObject({ status: 200, body: { id: first.body.id } });
  expect(harness.line.sent).toHaveLength(1);
});

it('begins nothing at a node that others have taken over from', async () => {
  await harness.store.commit([{ op: 'delete', table: 'nodes', key: [own.id], version: 1 }]);
  expect((await pay()).status).toBe(409);
  expect(harness.line.sent).toHaveLength(0);
  await harness.clock.advance(LEASE_LIMITS.renewMs);
  expect((await pay()).status).toBe(200);
});
