import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LEASE_LIMITS } from '../../../kernel/nodes/lease-limits.js';
import { NodeLease } from '../../../kernel/nodes/node-lease.js';
import type { Change, Store } from '../../../kernel/store/store.js';
import { CLAIM_LIMITS } from '../../../kernel/workers/claim-loop.js';
import { eventsOfPayment } from '../events/stored-events.test.support.js';
import { HarnessClock } from '../harness-clock.test.support.js';
import {
  bankPayment,
  ENTITY,
  NOW_MS,
  openPaymentHarness,
  type PaymentHarness,
} from '../payment-harness.test.support.js';
import { WAITS } from '../rules/waits.js';
import { GatewayPaymentService } from '../service.js';

const { lifetimeMs, expiredCode } = WAITS.redirect;
const OVER_MS = LEASE_LIMITS.leaseMs + 2 * LEASE_LIMITS.renewMs;

interface Node {
  readonly service: GatewayPaymentService;
  readonly clock: HarnessClock;
  readonly lease: NodeLease;
}

let harness: PaymentHarness;
let nodes: Node[];
beforeEach(async () => {
  harness = await openPaymentHarness();
  nodes = [];
});
afterEach(() => harness.dispose());

/** A node with its own clock, at the deadline of what was begun before. */
async function start(store: Store = harness.store): Promise<Node> {
  const clock = new HarnessClock(NOW_MS + lifetimeMs);
  const { random, onFault } = harness.context;
  const lease = await NodeLease.begin({ store, clock, random, isSingleNode: false, onFault });
  const node = {
    service: new GatewayPaymentService({ ...harness.context, store, clock, node: lease }),
    clock,
    lease,
  };
  nodes.push(node);
  return node;
}

/** Lets time pass at a node, which renews its lease meanwhile. */
async function pass({ clock }: Node, ms: number): Promise<void> {
  for (let passedMs = 0; passedMs < ms; passedMs += LEASE_LIMITS.renewMs) {
    await clock.advance(LEASE_LIMITS.renewMs);
    await expect.poll(() => clock.nextTimerInMs()).toBe(LEASE_LIMITS.renewMs);
  }
}

/** A payment that its shopper approves at the bank. */
async function begin() {
  const { paymentId: id = '' } = await harness.service.authorize(bankPayment());
  const [intent] = await harness.store.find('intents', 'payment', [id]);
  return { id, reference: intent?.id ?? '' };
}

const writes = (changes: readonly Change[], table: string) =>
  changes.some((change) => 'table' in change && change.table === table);

/** The store of a process that dies at its nth commit of a wait or its intent: from there on no call of it returns. */
function dying(nth: number, isWritten: boolean): { readonly store: Store; readonly died: Promise<void> } {
  const { store } = harness;
  let count = 0;
  let die = (): void => undefined;
  const died = new Promise<void>((resolve) => {
    die = resolve;
  });
  const never = () => new Promise<never>(() => undefined);
  const isDead = () => count >= nth;
  const mortal: Store = {
    get: (table, key) => (isDead() ? never() : store.get(table, key)),
    find: (...query) => (isDead() ? never() : store.find(...query)),
    findRange: (...query) => (isDead() ? never() : store.findRange(...query)),
    countRange: (...query) => (isDead() ? never() : store.countRange(...query)),
    findAfter: (...query) => (isDead() ? never() : store.findAfter(...query)),
    check: () => store.check(),
    close: () => store.close(),
    commit: async (changes) => {
      if (isDead()) return never();
      if (!writes(changes, 'waits') && !writes(changes, 'intents')) return store.commit(changes);
      count += 1;
      if (!isDead()) return store.commit(changes);
      if (isWritten) await store.commit(changes);
      die();
      return never();
    },
  };
  return { store: mortal, died };
}

async function endsOnce({
  id,
  reference,
}: {
  readonly id: string;
  readonly reference: string;
}): Promise<void> {
  expect(await harness.service.find(id, ENTITY)).toMatchObject({
    state: 'declined',
    resultCode: expiredCode,
  });
  expect(harness.bank.payments.find(reference)?.state).toBe('cancelled');
  expect(await eventsOfPayment(harness.store, id)).toHaveLength(1);
  expect(await harness.store.get('waits', [id])).toMatchObject({
    untilMs: null,
    dueAtMs: null,
    leasedBy: null,
    claims: 0,
  });
}

describe('deadlines of waits on two nodes', () => {
  it('are looked after by one of them at a time', async () => {
    let requests = 0;
    harness.bank.beforeCall = () => {
      requests += 1;
    };
    const alone = await begin();
    const [a, b] = [await start(), await start()];
    requests = 0;
    await a.service.endOverdueWaits();
    const requestsOfOne = requests;
    const payments = await Promise.all(Array.from({ length: 20 }, begin));
    requests = 0;
    await Promise.all([a, b].map(({ service }) => service.endOverdueWaits()));
    expect(requests).toBe(requestsOfOne * payments.length);
    for (const each of [alone, ...payments]) await endsOnce(each);
    for (const { service, lease } of nodes) {
      await service.stop();
      await lease.end();
    }
  });

  // The claim (1), going on in the name of the node (2), the outcome (3).
  it.each([
    [1, false],
    [1, true],
    [2, false],
    [2, true],
    [3, false],
    [3, true],
  ] as const)(
    'that dies at commit %i (written: %s) are ended by the other one, once and soon',
    async (nth, isWritten) => {
      const payment = await begin();
      const { store, died } = dying(nth, isWritten);
      const a = await start(store);
      const b = await start();
      void a.service.endOverdueWaits();
      await died;
      await pass(b, OVER_MS);
      await b.service.endOverdueWaits();
      await b.service.resolveOpen();
      await endsOnce(payment);
      expect(b.clock.nowMs() - NOW_MS - lifetimeMs).toBeLessThan(CLAIM_LIMITS.leaseMs);
      await b.service.stop();
      await b.lease.end();
    },
  );

  it('that stays alive and is slow keep their wait, and the other one sends no request', async () => {
    const payment = await begin();
    const a = await start();
    const b = await start();
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { status } = harness.line;
    let requests = 0;
    harness.line.status = async (reference) => {
      requests += 1;
      await held;
      return status.call(harness.line, reference);
    };
    const ending = a.service.endOverdueWaits();
    await expect.poll(() => requests).toBe(1);
    // Longer than a lease: it is renewed, and the outcome is committed all the same.
    for (let passedMs = 0; passedMs < 2 * CLAIM_LIMITS.leaseMs; passedMs += LEASE_LIMITS.renewMs)
      for (const each of [a, b]) await pass(each, LEASE_LIMITS.renewMs);
    await b.service.endOverdueWaits();
    expect(requests).toBe(1);
    release();
    await ending;
    await endsOnce(payment);
    for (const { service, lease } of nodes) {
      await service.stop();
      await lease.end();
    }
  });
});
