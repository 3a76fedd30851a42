import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TryLaterError } from '../../../kernel/errors/try-later-error.js';
import { LEASE_LIMITS } from '../../../kernel/nodes/lease-limits.js';
import { NodeLease } from '../../../kernel/nodes/node-lease.js';
import type { Change } from '../../../kernel/store/store.js';
import type { Gate } from '../gates/gate.js';
import { HarnessClock } from '../harness-clock.test.support.js';
import {
  AGENT,
  ENTITY,
  FailingStore,
  followUp,
  NOW_MS,
  openPaymentHarness,
  type PaymentHarness,
  restPayment,
  storeOf,
  tillReversal,
  tillSale,
} from '../payment-harness.test.support.js';
import { GatewayPaymentService } from '../service.js';
import { PAYMENT_LIMITS } from '../steps/payment-context.js';

/** Long enough for everybody to see that a silent node is gone. */
const OVER_MS = LEASE_LIMITS.leaseMs + LEASE_LIMITS.renewMs;
const PAYMENT_ID = 'c'.repeat(32);

interface Node {
  readonly service: GatewayPaymentService;
  readonly clock: HarnessClock;
  readonly lease: NodeLease;
}

describe.each(['memory', 'sqlite'] as const)('two nodes on one %s store', (engine) => {
  let disk: FailingStore;
  let harness: PaymentHarness;
  let a: Node;
  let b: Node;
  let release: () => void;

  const startNode = async (): Promise<Node> => {
    const { store, random, onFault } = harness.context;
    const clock = new HarnessClock(NOW_MS);
    const lease = await NodeLease.begin({ store, clock, random, isSingleNode: false, onFault });
    const service = new GatewayPaymentService({ ...harness.context, clock, node: lease });
    return { service, clock, lease };
  };
  beforeEach(async () => {
    harness = await openPaymentHarness(async (home) => {
      disk = new FailingStore(await storeOf(engine)(home));
      return disk;
    });
    [a, b] = [await startNode(), await startNode()];
    release = () => undefined;
  });
  afterEach(async () => {
    release();
    for (const node of [a, b]) {
      await node.service.stop();
      await node.lease.end();
    }
    await harness.dispose();
  });

  /** Lets time pass at a node, which renews its lease meanwhile. */
  const pass = async ({ clock }: Node, ms: number): Promise<void> => {
    for (let passedMs = 0; passedMs < ms; passedMs += LEASE_LIMITS.renewMs) {
      await clock.advance(LEASE_LIMITS.renewMs);
      await expect.poll(() => clock.nextTimerInMs()).toBe(LEASE_LIMITS.renewMs);
    }
  };
  /** Requests to the acquirer wait until `release`. */
  const hold = (): void => {
    harness.line.gate = new Promise((resolve) => {
      release = resolve;
    });
  };
  const sends = (count: number) => expect.poll(() => harness.line.sent.length).toBe(count);
  const kinds = () => harness.line.sent.map(({ kind }) => kind);
  const given = { origin: { kind: 'rest', entityId: ENTITY, paymentId: PAYMENT_ID } } as const;

  it('one leaves alone what runs at the other, and reads the outcome when it is there', async () => {
    hold();
    const paying = a.service.authorize(restPayment(given));
    await sends(1);
    expect(await b.service.resolveOpen()).toBe(0);
    expect(await b.service.lookUp(PAYMENT_ID, ENTITY)).toMatchObject({ state: 'pending' });
    await expect(b.service.authorize(restPayment(given))).rejects.toThrow(TryLaterError);
    release();
    expect((await paying).disposition).toBe('approved');
    expect(await b.service.lookUp(PAYMENT_ID, ENTITY)).toMatchObject({ state: 'authorized' });
    expect(kinds()).toEqual(['authorization']);
  });

  it('a message that comes again to the other one is not sent again', async () => {
    hold();
    const paying = a.service.authorize(tillSale('m1', 'R-1'));
    await sends(1);
    await expect(b.service.authorize(tillSale('m1', 'R-1'))).rejects.toThrow(TryLaterError);
    expect(await b.service.status(AGENT, 'm1')).toEqual({ state: 'in-progress' });
    release();
    const first = await paying;
    expect(await b.service.authorize(tillSale('m1', 'R-1'))).toEqual(first);
    expect(kinds()).toEqual(['authorization']);
  });

  it('a reversal at one waits for its original at the other, and reverses what it became', async () => {
    hold();
    const paying = a.service.authorize(tillSale('m1', 'R-1'));
    await sends(1);
    const reversing = b.service.followUp(tillReversal('m2', 'm1'));
    await expect.poll(() => b.clock.nextTimerInMs()).toBe(PAYMENT_LIMITS.otherNodeMs);
    release();
    expect((await paying).disposition).toBe('approved');
    await b.clock.advance(PAYMENT_LIMITS.otherNodeMs);
    expect((await reversing).disposition).toBe('reversed');
    expect(kinds()).toEqual(['authorization', 'reversal']);
  });

  it('what a frozen node had begun is ended by the other, and its late request moves no money', async () => {
    hold();
    const paying = a.service.authorize(restPayment(given));
    await sends(1);
    const { gate } = harness.line;
    harness.line.gate = Promise.resolve();
    await pass(b, OVER_MS);
    expect(await b.service.resolveOpen()).toBe(0);
    expect(kinds()).toEqual(['authorization', 'reversal']);
    const ended = await b.service.lookUp(PAYMENT_ID, ENTITY);
    expect(ended).toMatchObject({ state: 'declined', resultCode: '900.100.301' });
    release();
    await gate;
    expect(await paying).toMatchObject({ disposition: 'declined', resultCode: '900.100.301' });
    const approved = (await harness.transactions()).filter(
      ({ kind, approved: ok }) => ok && kind !== 'reversal',
    );
    expect(approved).toEqual([]);
  });

  it('a node that froze before its commit begins nothing once another has taken over', async () => {
    let taken = false;
    disk.beforeCommit = async (changes) => {
      const isIntent = ({ op, ...on }: Change) => op === 'insert' && 'table' in on && on.table === 'intents';
      if (taken || !changes.some(isIntent)) return;
      taken = true;
      await pass(b, OVER_MS);
      expect(await b.lease.mayTake(a.lease.id)).toBe(true);
    };
    await expect(a.service.authorize(restPayment(given))).rejects.toThrow(TryLaterError);
    expect(taken).toBe(true);
    expect(kinds()).toEqual([]);
    expect((await b.service.authorize(restPayment(given))).disposition).toBe('approved');
  });

  it.each(['approved', 'declined'] as const)(
    'a node that froze before it began makes nothing once more that another has made: %s',
    async (disposition) => {
      if (disposition === 'declined') harness.line.cut = true;
      let isFrozen = false;
      disk.beforeGet = async (table) => {
        if (isFrozen || table !== 'storePolicies') return;
        isFrozen = true;
        await pass(b, OVER_MS);
        expect(await b.lease.mayTake(a.lease.id)).toBe(true);
        await b.service.authorize(restPayment(given)).catch(() => undefined);
        harness.line.cut = false;
        await b.service.resolveOpen();
        expect(await b.service.lookUp(PAYMENT_ID, ENTITY)).toMatchObject({
          resultCode: expect.stringMatching(/^[09]00/),
        });
        // It comes back as another owner before it goes on.
        await a.lease.renew();
      };
      await expect(a.service.authorize(restPayment(given))).rejects.toThrow(TryLaterError);
      expect(isFrozen).toBe(true);
      expect((await a.service.authorize(restPayment(given))).disposition).toBe(disposition);
      expect(await a.service.resolveOpen()).toBe(0);
      const approved = (await harness.transactions()).filter(
        ({ kind, approved: ok }) => ok && kind !== 'reversal',
      );
      expect(approved).toHaveLength(disposition === 'approved' ? 1 : 0);
    },
  );

  it('a request that a node had before it was replaced moves no money after it', async () => {
    let isFrozen = false;
    disk.beforeGet = async (table) => {
      if (isFrozen || table !== 'storePolicies') return;
      isFrozen = true;
      await pass(b, OVER_MS);
      expect(await b.lease.mayTake(a.lease.id)).toBe(true);
      await a.lease.renew();
    };
    await expect(a.service.authorize(restPayment())).rejects.toThrow(TryLaterError);
    expect(isFrozen).toBe(true);
    expect(kinds()).toEqual([]);
    expect((await a.service.authorize(restPayment())).disposition).toBe('approved');
  });

  it('a node sends nothing once its lease is over by its own time', async () => {
    const { paymentId: id } = await a.service.authorize(restPayment());
    const renews = ({ op, ...on }: Change) => op === 'update' && 'table' in on && on.table === 'nodes';
    disk.failWhen = (changes) => changes.some(renews);
    await pass(a, LEASE_LIMITS.leaseMs);
    await expect(a.service.followUp(followUp('CP', id, 1_234))).rejects.toThrow(TryLaterError);
    expect(kinds()).toEqual(['authorization']);
    disk.failWhen = () => false;
    await pass(b, OVER_MS);
    expect(await b.service.resolveOpen()).toBe(0);
    expect((await b.service.followUp(followUp('CP', id, 1_234))).disposition).toBe('approved');
  });

  it('what a node leaves open when it ends is taken up at once', async () => {
    harness.line.cut = true;
    await expect(a.service.authorize(restPayment(given))).rejects.toThrow(TryLaterError);
    harness.line.cut = false;
    expect(await b.service.resolveOpen()).toBe(0);
    expect(await b.service.lookUp(PAYMENT_ID, ENTITY)).toMatchObject({ state: 'pending' });
    await a.lease.end();
    expect(await b.service.resolveOpen()).toBe(0);
    expect(await b.service.lookUp(PAYMENT_ID, ENTITY)).toMatchObject({ state: 'declined' });
  });

  it('a look at a payment that ends in this moment opens nothing again', async () => {
    let isRefused = false;
    const challenge: Gate = {
      name: 'challenge',
      pass: async () => ({ verdict: 'wait', waiting: { kind: 'challenge' }, state: null }),
      again: async () =>
        isRefused
          ? { verdict: 'refuse', resultCode: '100.390.122' }
          : { verdict: 'wait', waiting: { kind: 'challenge' }, state: null },
    };
    const { context } = harness;
    const service = new GatewayPaymentService({ ...context, node: a.lease, gates: [challenge] });
    const { paymentId: id = '' } = await service.authorize(restPayment());
    isRefused = true;
    let searches = 0;
    disk.beforeFind = async (table) => {
      if (table !== 'intents') return;
      searches += 1;
      // The look has read the payment as one that waits, and reads its intent once more.
      if (searches === 2) await service.continueWaiting(id, 'news');
    };
    expect(await service.lookUp(id, ENTITY)).toMatchObject({ state: 'declined', resultCode: '100.390.122' });
    expect(searches).toBeGreaterThan(2);
    expect(await harness.store.find('intents', 'payment', [id])).toMatchObject([{ state: 'done' }]);
    expect(kinds()).toEqual([]);
    await service.stop();
  });
});
