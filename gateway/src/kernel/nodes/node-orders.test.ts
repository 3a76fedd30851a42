import { systemRandom as random } from '@tillbridge/platform/system-random.js';
import { propertyRuns } from '@tillbridge/wire/seams/testing/property-runs.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Change, CommitConflict } from '../store/store.js';
import { CallOrder, everyOrder, OrderedStore, orderOf } from '../store/testing/call-order.test.support.js';
import { MemoryStore } from '../store/testing/memory-store.js';
import { LEASE_LIMITS } from './lease-limits.js';
import { NodeLease, type Owner } from './node-lease.js';
import { SingleWork } from './single-work.js';

const { leaseMs, renewMs } = LEASE_LIMITS;
const NOW_MS = 1_000_000;

/** A clock of a process that may stand still: time goes on and no timer fires. */
class ProcessClock extends VirtualClock {
  #stoodMs = 0;

  override monotonicMs(): number {
    return super.monotonicMs() + this.#stoodMs;
  }

  standStill(ms: number): void {
    this.#stoodMs += ms;
  }
}

/** What happened on the database, in its order: which node ended which, and under which id which node committed money. */
class Course {
  readonly store = new MemoryStore();
  readonly order: CallOrder;
  /** Owner ids whose rows are gone. */
  readonly ended = new Set<string>();
  readonly faults: string[] = [];

  constructor(order: CallOrder) {
    this.order = order;
  }

  async node() {
    const clock = new ProcessClock(NOW_MS);
    const store = new OrderedStore(this.store, this.order);
    store.onCommit = (changes) => this.#note(changes);
    const onFault = (what: string) => void this.faults.push(what);
    const lease = await NodeLease.begin({ store, clock, random, isSingleNode: false, onFault });
    return { clock, store, lease };
  }

  #note(changes: readonly Change[]): void {
    for (const change of changes)
      if (change.op === 'delete' && change.table === 'nodes') this.ended.add(String(change.key[0]));
  }

  /** Commits what money may follow, as an owner; whether it was let. What the owner has lost is refused. */
  async moves(store: OrderedStore, owner: Owner, name: string): Promise<boolean> {
    const row = { name, owner: owner.id, sinceMs: 0, version: 1 };
    try {
      await store.commit([owner.guard(), { op: 'insert', table: 'singleWork', row }]);
    } catch (error) {
      expect(error).toBeInstanceOf(CommitConflict);
      expect(this.ended, 'a refused owner has lost its lease').toContain(owner.id);
      return false;
    }
    return true;
  }

  /** Takes what an owner has; from then on nothing of it may be committed. */
  async takes(by: NodeLease, owner: string, moved: () => readonly string[]): Promise<boolean> {
    if (!(await by.mayTake(owner))) return false;
    expect(await this.store.get('nodes', [owner]), 'the owner is still there').toBeUndefined();
    const before = [...moved()];
    this.checks.push(() =>
      expect(moved(), 'committed by a node that another one took over from').toEqual(before),
    );
    return true;
  }

  readonly checks: (() => void)[] = [];
}

type Node = Awaited<ReturnType<Course['node']>>;

/** Lets a node see that another one was silent for the time of a lease, a moment before it ends that one by itself. */
async function seesSilence({ clock }: Node): Promise<void> {
  await clock.advance(leaseMs - 1);
  clock.standStill(1);
}

it('leaves one owner in every order in which a node commits and another one takes over', async () => {
  let [kept, lost] = [0, 0];
  const orders = await everyOrder(async (order) => {
    const course = new Course(order);
    const [a, b] = [await course.node(), await course.node()];
    await seesSilence(b);
    const was = a.lease.asNow();
    const moved: string[] = [];
    const move = async (name: string, owner: Owner): Promise<void> => {
      if (await course.moves(a.store, owner, name)) moved.push(owner.id);
    };
    const ofWas = () => moved.filter((id) => id === was.id);
    const [, isTaken] = await order.run<unknown>([
      async () => {
        await move('first', was);
        await a.lease.renew();
        await move('second', was);
        await move('third', a.lease.asNow());
      },
      () => course.takes(b.lease, was.id, ofWas),
    ]);
    for (const check of course.checks) check();
    expect(a.lease.timesLost, 'who lost learns it').toBe(isTaken ? 1 : 0);
    expect(was.isHeld()).toBe(!isTaken);
    expect(a.lease.id === was.id).toBe(!isTaken);
    expect(course.faults).toHaveLength(isTaken ? 1 : 0);
    // What it begins under its new lease counts.
    expect(moved.at(-1)).toBe(a.lease.id);
    await course.moves(a.store, a.lease, 'fourth').then((isLet) => expect(isLet).toBe(true));
    if (isTaken) lost += 1;
    else kept += 1;
  });
  // A node that renews in time keeps its lease; one that is too late loses it.
  expect([orders > 10, kept > 0, lost > 0]).toEqual([true, true, true]);
});

it('gives the work of a silent node to one of two in every order', async () => {
  await everyOrder(async (order) => {
    const course = new Course(order);
    const nodes = [await course.node(), await course.node(), await course.node()] as const;
    const [a, b, c] = nodes;
    const workOf = ({ store, lease, clock }: Node) => new SingleWork({ store, node: lease, clock });
    expect(await workOf(a).isMine('work')).toBe(true);
    for (const node of [b, c]) await seesSilence(node);
    const mine = await order.run([() => workOf(b).isMine('work'), () => workOf(c).isMine('work')]);
    const row = await course.store.get('singleWork', ['work']);
    const owners = [b, c].filter((_, at) => mine[at]).map(({ lease }) => lease.id);
    expect(owners).toEqual([row?.owner]);
    expect(course.ended).toEqual(new Set([a.lease.id]));
  });
});

/** What a node does by and by. */
const STEP = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ do: 'move' as const }) },
  { weight: 2, arbitrary: fc.constant({ do: 'renew' as const }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('take' as const), from: fc.nat(2) }) },
);

it('leaves one owner of everything, whatever three nodes do and in which order', async () => {
  const steps = fc.array(STEP, { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(steps, steps, steps),
      fc.array(fc.nat(11), { minLength: 5, maxLength: 40 }),
      fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
      async (plans, numbers, silent) => {
        const order = new CallOrder(orderOf(numbers));
        const course = new Course(order);
        const nodes = [await course.node(), await course.node(), await course.node()];
        for (const [at, node] of nodes.entries()) if (silent[at]) await seesSilence(node);
        const moved: string[] = [];
        let name = 0;
        const steps = async (node: Node, plan: (typeof plans)[number]): Promise<void> => {
          // As a request that began before all else.
          const was = node.lease.asNow();
          for (const step of plan) {
            if (step.do === 'renew') await node.lease.renew();
            else if (step.do === 'move') {
              name += 1;
              const { id } = was;
              if (await course.moves(node.store, was, `work ${name}`)) moved.push(id);
            } else {
              const owner = firstIds[step.from] ?? '';
              if (owner !== was.id)
                await course.takes(node.lease, owner, () => moved.filter((id) => id === owner));
            }
          }
        };
        const firstIds = nodes.map(({ lease }) => lease.id);
        await order.run(plans.map((plan, at) => () => steps(nodes[at] as Node, plan)));
        for (const check of course.checks) check();
        for (const { lease } of nodes) {
          await lease.renew();
          expect(await course.store.get('nodes', [lease.id])).toBeDefined();
        }
        for (const [at, id] of firstIds.entries())
          expect(nodes[at]?.lease.timesLost, 'who lost learns it').toBe(course.ended.has(id) ? 1 : 0);
      },
    ),
    propertyRuns(100),
  );
});

it('takes from no node that is seen to renew, however long it runs', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: renewMs }), { minLength: 1, maxLength: 30 }),
      async (waits) => {
        const course = new Course(new CallOrder(() => 0));
        const [a, b] = [await course.node(), await course.node()];
        const { id } = a.lease;
        for (const ms of waits) {
          await a.clock.advance(ms);
          await b.clock.advance(ms);
          expect(await b.lease.mayTake(id)).toBe(false);
        }
        expect([a.lease.id, a.lease.isHeld(), course.ended.size]).toEqual([id, true, 0]);
      },
    ),
    propertyRuns(20),
  );
});
