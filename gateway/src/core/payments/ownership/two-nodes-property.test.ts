import { propertyRuns } from '@tillbridge/wire/seams/testing/property-runs.js';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { TryLaterError } from '../../../kernel/errors/try-later-error.js';
import { LEASE_LIMITS } from '../../../kernel/nodes/lease-limits.js';
import { NodeLease } from '../../../kernel/nodes/node-lease.js';
import { newId } from '../../../kernel/store/new-id.js';
import type { Change } from '../../../kernel/store/store.js';
import {
  CallOrder,
  everyOrder,
  OrderedStore,
  orderOf,
} from '../../../kernel/store/testing/call-order.test.support.js';
import { MemoryStore } from '../../../kernel/store/testing/memory-store.js';
import type { Acquirer } from '../../acquirers/acquirer.js';
import { HarnessClock } from '../harness-clock.test.support.js';
import {
  ENTITY,
  followUp,
  NOW_MS,
  openPaymentHarness,
  type PaymentHarness,
  restPayment,
} from '../payment-harness.test.support.js';
import { GatewayPaymentService } from '../service.js';
import { takeOver } from './own-intents.js';

/** A clock of a process that may stand still: time goes on and no timer fires. */
class ProcessClock extends HarnessClock {
  #stoodMs = 0;

  override monotonicMs(): number {
    return super.monotonicMs() + this.#stoodMs;
  }

  standStill(ms: number): void {
    this.#stoodMs += ms;
  }
}

/** Nodes on one database, whose calls to it take turns. */
class Nodes {
  /** Owner ids whose lease another node has ended. */
  readonly ended = new Set<string>();
  readonly breaches: string[] = [];
  readonly #harness: PaymentHarness;
  readonly #order: CallOrder;

  constructor(harness: PaymentHarness, order: CallOrder) {
    this.#harness = harness;
    this.#order = order;
  }

  async node() {
    const { context, line } = this.#harness;
    const clock = new ProcessClock(NOW_MS);
    const store = new OrderedStore(context.store, this.#order);
    const onFault = () => undefined;
    const lease = await NodeLease.begin({
      store,
      clock,
      random: context.random,
      isSingleNode: false,
      onFault,
    });
    store.onCommit = (changes) => {
      for (const change of changes) this.#note(lease, change);
    };
    const acquirer: Acquirer = {
      name: line.name,
      send: (request) => line.send(request),
      status: (reference) => line.status(reference),
    };
    const service = new GatewayPaymentService({
      ...context,
      store,
      clock,
      acquirer,
      node: lease,
      onFault,
    });
    return { clock, store, lease, node: lease, service };
  }

  #note(lease: NodeLease, change: Change): void {
    if (change.op === 'delete' && change.table === 'nodes') this.ended.add(String(change.key[0]));
    const isIntent = (change.op === 'insert' || change.op === 'update') && change.table === 'intents';
    if (isIntent && change.row.state === 'open' && this.ended.has(lease.id))
      this.breaches.push(`a node that has lost its lease has written to intent ${change.row.id}`);
  }
}

/** Lets a node see that the others were silent for the time of a lease, a moment before it ends them by itself. */
async function seesSilence({ clock }: Awaited<ReturnType<Nodes['node']>>): Promise<void> {
  await clock.advance(LEASE_LIMITS.leaseMs - 1);
  clock.standStill(1);
}

/** What the node does that the other one takes for silent. */
const STEP = fc.constantFrom('pay', 'resolve', 'capture', 'renew');
const FAULT = fc.constantFrom(
  'none' as const,
  'request-lost' as const,
  'answer-lost' as const,
  'cut' as const,
);

async function busy<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    // The other node goes on with it.
    expect(error).toBeInstanceOf(TryLaterError);
    return undefined;
  }
}

/** Requests that moved money at the acquirer and stand, by their references. */
async function standing({ record }: PaymentHarness): Promise<readonly string[]> {
  return (await record.transactions())
    .filter(({ kind, approved, reversed }) => kind === 'authorization' && approved && !reversed)
    .map(({ acquirerReference }) => acquirerReference);
}

it('lets money move once, whatever a node does in which another one takes over, and in every order', async () => {
  const harness = await openPaymentHarness();
  await fc.assert(
    fc.asyncProperty(
      fc.array(STEP, { minLength: 1, maxLength: 4 }),
      fc.tuple(FAULT, FAULT),
      fc.array(fc.nat(6), { minLength: 10, maxLength: 60 }),
      async (steps, faults, numbers) => {
        const order = new CallOrder(orderOf(numbers));
        const nodes = new Nodes(harness, order);
        const [a, b] = [await nodes.node(), await nodes.node()];
        const was = a.lease.id;
        await seesSilence(b);
        const given = [newId(harness.context.random), newId(harness.context.random)];
        const ids = [...given];
        const paid: string[] = [];
        const work: Record<(typeof steps)[number], () => Promise<unknown>> = {
          pay: async () => {
            const paymentId = ids.shift();
            if (paymentId === undefined) return;
            const fault = faults[ids.length] ?? 'none';
            if (fault === 'cut') harness.line.cut = true;
            else harness.line.fault = fault;
            const origin = { kind: 'rest', entityId: ENTITY, paymentId } as const;
            const result = await busy(a.service.authorize(restPayment({ origin })));
            harness.line.cut = false;
            if (result?.disposition === 'approved') paid.push(paymentId);
          },
          resolve: () => a.service.resolveOpen(),
          capture: async () => busy(a.service.followUp(followUp('CP', paid.at(-1), 1_234))),
          renew: () => a.lease.renew(),
        };
        await order.run<unknown>([
          async () => {
            for (const step of steps) await work[step]();
          },
          async () => {
            await b.lease.mayTake(was);
            await b.service.resolveOpen();
          },
        ]);
        expect(nodes.breaches).toEqual([]);
        harness.line.fault = 'none';
        await a.lease.end();
        expect(await b.service.resolveOpen()).toBe(0);
        // The outcomes that the clients received are what stands at the acquirer; the harness compares all the rest.
        const stands = await standing(harness);
        for (const paymentId of given) {
          const payment = await b.service.find(paymentId, ENTITY);
          const isTaken = payment !== undefined && payment.state !== 'declined';
          expect(stands.filter((reference) => reference === payment?.acquirerReference)).toHaveLength(
            isTaken ? 1 : 0,
          );
          if (paid.includes(paymentId)) expect(isTaken).toBe(true);
        }
        for (const node of [a, b]) await node.service.stop();
        await b.lease.end();
      },
    ),
    propertyRuns(30),
  );
  await harness.dispose();
});

it('lets a node that has lost its lease neither fence nor take over what is open, in any order', async () => {
  const harness = await openPaymentHarness();
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('its own' as const, 'of another' as const),
      fc.array(fc.nat(3), { minLength: 3, maxLength: 12 }),
      async (what, numbers) => {
        const order = new CallOrder(orderOf(numbers));
        const nodes = new Nodes(harness, order);
        const [a, b] = [await nodes.node(), await nodes.node()];
        const paymentId = newId(harness.context.random);
        const origin = { kind: 'rest', entityId: ENTITY, paymentId } as const;
        // The acquirer cannot be reached: the payment is left open.
        harness.line.cut = true;
        await busy((what === 'its own' ? b : a).service.authorize(restPayment({ origin })));
        harness.line.cut = false;
        if (what === 'of another') await a.lease.end();
        const c = await nodes.node();
        await seesSilence(c);
        const was = b.lease.id;
        await order.run<unknown>([() => b.service.resolveOpen(), () => c.lease.mayTake(was)]);
        expect(nodes.breaches).toEqual([]);
        for (const { service, lease } of [a, b, c]) {
          await lease.end();
          await service.stop();
        }
        expect(await harness.service.resolveOpen()).toBe(0);
      },
    ),
    propertyRuns(20),
  );
  await harness.dispose();
});

it('gives an intent that was left open to one of two nodes in every order', async () => {
  const harness = await openPaymentHarness();
  harness.line.cut = true;
  await busy(harness.service.authorize(restPayment()));
  harness.line.cut = false;
  const [left] = await harness.store.find('intents', 'state', ['open']);
  if (!left) throw new Error('nothing is left open');
  const orders = await everyOrder(async (order) => {
    const store = new MemoryStore();
    const intent = { ...left, owner: 'a node that has ended', version: 1 };
    await store.commit([{ op: 'insert', table: 'intents', row: intent }]);
    const nodes = new Nodes({ ...harness, context: { ...harness.context, store } }, order);
    const both = [await nodes.node(), await nodes.node()];
    const taken = await order.run(both.map((node) => () => takeOver(node, intent)));
    const stored = await store.get('intents', [intent.id]);
    expect(taken.filter((each) => each !== undefined)).toEqual([stored]);
    expect(both.map(({ node }) => node.id)).toContain(stored?.owner);
  });
  expect(orders).toBeGreaterThan(3);
  await harness.service.resolveOpen();
  await harness.dispose();
});
