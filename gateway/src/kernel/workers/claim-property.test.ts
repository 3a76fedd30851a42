import { systemRandom } from '@tillbridge/platform/system-random.js';
import { propertyRuns } from '@tillbridge/wire/seams/testing/property-runs.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { deliveryOf } from '../events/event-changes.js';
import type { DeliveryRow } from '../store/rows.js';
import { type CallOrder, everyOrder, OrderedStore } from '../store/testing/call-order.test.support.js';
import { MemoryStore } from '../store/testing/memory-store.js';
import { CLAIM_LIMITS, ClaimLoop, type WorkDone } from './claim-loop.js';

const NOW_MS = Date.UTC(2026, 10, 20, 12);
const ENDPOINT = 'w1';
const NODES = 3;
/** How far one node's clock is before the others follow, in milliseconds. */
const ADVANCE_MS = 5_000;
const { leaseMs, renewAfterMs, pollMs, maxClaims, retryMs } = CLAIM_LIMITS;

/** Work on a row that has begun and not ended. */
interface Running {
  readonly node: number;
  readonly event: string;
  readonly lost: AbortSignal;
  readonly end: (how: 'done' | 'again' | 'throws') => void;
}

/** Nodes that work on one table, and what the test itself keeps of their work. */
class Nodes {
  readonly store = new MemoryStore();
  readonly running: Running[] = [];
  /** What must never happen; what work throws is tried again. */
  readonly breaches: string[] = [];
  /** How often work on each event came to its end. */
  readonly done = new Map<string, number>();
  /** How often work on each event has begun since it last came to an end. */
  readonly #begun = new Map<string, number>();
  readonly #clocks = Array.from({ length: NODES }, () => new VirtualClock(NOW_MS));
  readonly #dead = new Map<number, number>();
  readonly #loops: ClaimLoop<DeliveryRow>[];
  readonly #reports: boolean;
  #nowMs = NOW_MS;

  /** @param reports whether nodes get reports of others that have ended; else they wait for the leases to be over */
  constructor(reports: boolean) {
    this.#reports = reports;
    this.#loops = this.#clocks.map((clock, node) => this.#loop(node, clock));
  }

  #loop(node: number, clock: VirtualClock): ClaimLoop<DeliveryRow> {
    const { store } = this;
    const dead = this.#dead;
    const ended = () => dead.size;
    return new ClaimLoop<DeliveryRow>({
      store,
      clock,
      random: systemRandom,
      ...(this.#reports && {
        node: {
          id: `node${node}`,
          get othersEnded() {
            return ended();
          },
          mayTake: async (id: string) => dead.has(Number(id.slice(4))),
        },
      }),
      update: (row) => ({ op: 'update', table: 'deliveries', row }),
      due: (from, below, page) =>
        store.findRange('deliveries', 'due', { equals: [ENDPOINT], from, below, ...page }),
      work: (row, lost) => this.#work(node, row, lost),
      poisoned: (row) => ({ row: { ...row, state: 'givenUp', dueAtMs: null } }),
      onFault: (error) => {
        if (!String(error).includes('a fault of the work')) this.breaches.push(String(error));
      },
    });
  }

  #work(node: number, row: DeliveryRow, lost: AbortSignal): Promise<WorkDone<DeliveryRow>> {
    const event = row.eventId;
    for (const other of this.running.filter((each) => each.event === event)) {
      const diedAtMs = this.#dead.get(other.node);
      // A lease is renewed in time, so that this much of it is left when its node dies.
      const left = this.#reports ? 0 : leaseMs - renewAfterMs - ADVANCE_MS;
      if (diedAtMs === undefined || this.#nowMs < diedAtMs + left)
        this.breaches.push(`two nodes work on ${event}`);
    }
    const begun = (this.#begun.get(event) ?? 0) + 1;
    this.#begun.set(event, begun);
    if (begun > maxClaims) this.breaches.push(`${event} was begun ${begun} times`);
    if (this.done.has(event)) this.breaches.push(`${event} is done already`);
    return new Promise((resolve, reject) => {
      const end: Running['end'] = (how) => {
        this.running.splice(this.running.indexOf(running), 1);
        if (how === 'throws') return reject(new Error('a fault of the work'));
        this.#begun.delete(event);
        const dueAtMs = how === 'done' ? null : this.#nowMs + retryMs;
        if (how === 'done') this.done.set(event, (this.done.get(event) ?? 0) + 1);
        return resolve({ row: { ...row, state: how === 'done' ? 'delivered' : 'waiting', dueAtMs } });
      };
      const running: Running = { node, event, lost, end };
      this.running.push(running);
    });
  }

  async open(): Promise<this> {
    const row = { endpointId: ENDPOINT, lastSequence: 0, version: 1 };
    await this.store.commit([{ op: 'insert', table: 'deliveryCounters', row }]);
    return this;
  }

  async add(event: string): Promise<void> {
    await this.store.commit([deliveryOf(ENDPOINT, event, this.#nowMs)]);
  }

  rows = (): Promise<readonly DeliveryRow[]> => this.store.findAfter('deliveries', undefined);

  wake(node: number): void {
    if (!this.#dead.has(node)) this.#loops[node]?.wake();
  }

  /** Takes a row as it is now, whether it is due or not. */
  async take(node: number, at: number): Promise<void> {
    const rows = await this.rows();
    const row = rows[at % Math.max(1, rows.length)];
    if (!row || row.dueAtMs === null || this.#dead.has(node)) return;
    void this.#loops[node]?.take(row);
  }

  /** A process that is killed: its clock stands, and what it had begun comes to no end. */
  kill(node: number): void {
    if (this.#dead.size < NODES - 1) this.#dead.set(node, this.#nowMs);
  }

  async advance(ms: number): Promise<void> {
    // In steps, so that no clock is far from another one.
    for (let left = ms; left > 0; left -= ADVANCE_MS) {
      const step = Math.min(left, ADVANCE_MS);
      this.#nowMs += step;
      for (const [node, clock] of this.#clocks.entries())
        if (!this.#dead.has(node)) await clock.advance(step);
    }
  }

  end(at: number, how: Parameters<Running['end']>[0]): void {
    const alive = this.running.filter(({ node }) => !this.#dead.has(node));
    alive[at % Math.max(1, alive.length)]?.end(how);
  }

  /** Whether no node that still works has lost a lease. */
  get isKept(): boolean {
    return this.running.every(({ node, lost }) => this.#dead.has(node) || !lost.aborted);
  }

  /** Work that throws each time. */
  async fail(times: number): Promise<void> {
    for (let time = 0; time < times; time += 1) {
      for (let node = 0; node < NODES; node += 1) this.wake(node);
      await this.advance(1);
      for (const { node, end } of [...this.running]) if (!this.#dead.has(node)) end('throws');
      await this.advance(1);
      await this.advance(maxClaims * retryMs);
    }
  }

  /** All come to their end: those of nodes that died are begun anew. */
  async finish(): Promise<void> {
    for (let round = 0; (await this.rows()).some(({ dueAtMs }) => dueAtMs !== null); round += 1) {
      if (round > 200) throw new Error('work comes to no end');
      for (let node = 0; node < NODES; node += 1) this.wake(node);
      await this.advance(round < 2 ? 1 : leaseMs / 4);
      while (this.running.some(({ node }) => !this.#dead.has(node))) {
        this.end(0, 'done');
        await this.advance(1);
      }
    }
  }
}

const STEP = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('add' as const) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('wake' as const), node: fc.nat(NODES - 1) }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('take' as const), node: fc.nat(NODES - 1), at: fc.nat() }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('end' as const),
      at: fc.nat(),
      how: fc.constantFrom('done' as const, 'done' as const, 'again' as const, 'throws' as const),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('advance' as const),
      ms: fc.constantFrom(1, pollMs, renewAfterMs, leaseMs - 1, leaseMs, 3 * leaseMs),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('fail' as const), times: fc.integer({ min: 1, max: 6 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('kill' as const), node: fc.nat(NODES - 1) }) },
);

it('works on each row at one node at a time, and to its end once, whatever nodes do and whichever die', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(STEP, { minLength: 3, maxLength: 30 }),
      fc.boolean(),
      async (steps, reports) => {
        const nodes = await new Nodes(reports).open();
        let added = 0;
        for (const step of steps) {
          switch (step.do) {
            case 'add':
              added += 1;
              await nodes.add(`e${added}`);
              break;
            case 'wake':
              nodes.wake(step.node);
              break;
            case 'take':
              await nodes.take(step.node, step.at);
              break;
            case 'end':
              nodes.end(step.at, step.how);
              break;
            case 'fail':
              await nodes.fail(step.times);
              break;
            case 'kill':
              nodes.kill(step.node);
              break;
            case 'advance':
              await nodes.advance(step.ms);
          }
          await nodes.advance(1);
          expect(nodes.breaches).toEqual([]);
          expect(nodes.isKept, 'a node that lives keeps what it works on').toBe(true);
        }
        await nodes.finish();
        expect(nodes.breaches).toEqual([]);
        for (const row of await nodes.rows()) {
          const isPoisoned = row.state === 'givenUp';
          expect([row.dueAtMs, row.leasedBy]).toEqual([null, null]);
          expect(nodes.done.get(row.eventId) ?? 0).toBe(isPoisoned ? 0 : 1);
          if (isPoisoned) expect(row.claims).toBeGreaterThanOrEqual(maxClaims);
        }
      },
    ),
    propertyRuns(40),
  );
});

it('lets one of two work on a row in every order of their claims', async () => {
  const orders = await everyOrder(async (order: CallOrder) => {
    const shared = new MemoryStore();
    const counter = { endpointId: ENDPOINT, lastSequence: 0, version: 1 };
    await shared.commit([{ op: 'insert', table: 'deliveryCounters', row: counter }]);
    await shared.commit([deliveryOf(ENDPOINT, 'a', NOW_MS)]);
    let [now, most, ended] = [0, 0, 0];
    const faults: unknown[] = [];
    const loop = (): ClaimLoop<DeliveryRow> => {
      const store = new OrderedStore(shared, order);
      return new ClaimLoop<DeliveryRow>({
        store,
        clock: new VirtualClock(NOW_MS),
        random: systemRandom,
        update: (row) => ({ op: 'update', table: 'deliveries', row }),
        due: (from, below, page) =>
          store.findRange('deliveries', 'due', { equals: [ENDPOINT], from, below, ...page }),
        work: async (row) => {
          now += 1;
          most = Math.max(most, now);
          await store.get('deliveries', [ENDPOINT, row.sequence]);
          now -= 1;
          ended += 1;
          return { row: { ...row, state: 'delivered', dueAtMs: null } };
        },
        poisoned: (row) => ({ row }),
        onFault: (error) => faults.push(error),
      });
    };
    const looks = async (): Promise<void> => {
      const each = loop();
      each.wake();
      await each.idle();
      await each.stop();
    };
    const named = async (): Promise<void> => {
      const each = loop();
      const [row] = await shared.findAfter('deliveries', undefined);
      if (row && row.dueAtMs !== null) await each.take(row);
      await each.stop();
    };
    await order.run([looks, named]);
    expect([most, ended, faults]).toEqual([1, 1, []]);
    expect(await shared.findAfter('deliveries', undefined)).toMatchObject([
      { state: 'delivered', leasedBy: null, claims: 0 },
    ]);
  });
  expect(orders).toBeGreaterThan(5);
});
