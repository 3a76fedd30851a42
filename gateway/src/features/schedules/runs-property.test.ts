import { systemRandom } from '@tillbridge/platform/system-random.js';
import { propertyRuns } from '@tillbridge/wire/seams/testing/property-runs.js';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  ENTITY,
  FailingStore,
  NOW_MS,
  openPaymentHarness,
  type PaymentHarness,
  restPayment,
} from '../../core/payments/payment-harness.test.support.js';
import { GatewayPaymentService } from '../../core/payments/service.js';
import { allRows } from '../../kernel/store/all-rows.js';
import { CallOrder, OrderedStore, orderOf } from '../../kernel/store/testing/call-order.test.support.js';
import { MemoryStore } from '../../kernel/store/testing/memory-store.js';
import { Schedules } from './service.js';
import { scheduleLoop } from './worker.js';

const DAY_MS = 24 * 3_600_000;
/** NOW_MS is 2026-11-20T12:00Z; each day at nine. */
const FIRST_MS = Date.UTC(2026, 10, 21, 9);
const DAILY = { expression: '0 0 9 * * ?' };
const OWNERS = [ENTITY];
/** A run that is later than this was missed: of several of those the last one alone is made (docs/schedules.md). */
const MISSED_AFTER_MS = 60_000;
/** Longer than the lease of a claim, and than the wait for an outcome. */
const LATER_MS = 90_000;

const NODE = fc.record({
  /** After how many commits its disk fails for good; absent: never. */
  diesAfter: fc.option(fc.nat(7), { nil: undefined, freq: 2 }),
});
const STEP = fc.record({
  /** Days without a round of a worker, and the last one with one. */
  days: fc.constantFrom(1, 1, 2, 4),
  lateMs: fc.constantFrom(0, 30_000, 10 * 60_000, 3 * 3_600_000),
  nodes: fc.array(NODE, { minLength: 1, maxLength: 3 }),
  /** What the merchant does in the same moment. */
  merchant: fc.constantFrom(undefined, undefined, 'reschedule' as const, 'end' as const),
});
type Step = typeof STEP extends fc.Arbitrary<infer T> ? T : never;

class Runs {
  readonly #harness: PaymentHarness;
  readonly #store: MemoryStore;
  readonly #order: CallOrder;
  readonly faults: string[] = [];
  #id = '';
  /** When the merchant has changed the schedule. */
  #changedMs = 0;
  /** The last day that may have been run, counted from the first. */
  #day = 0;
  /** Days that must have been made, and those that may have been. */
  readonly #made = new Set<number>();
  readonly #mayBe = new Set<number>();

  private constructor(harness: PaymentHarness, store: MemoryStore, numbers: readonly number[]) {
    this.#harness = harness;
    this.#store = store;
    this.#order = new CallOrder(orderOf(numbers));
  }

  static async open(numbers: readonly number[]): Promise<Runs> {
    const store = new MemoryStore();
    const harness = await openPaymentHarness(() => store);
    const runs = new Runs(harness, store, numbers);
    const standing = { mode: 'INITIAL', source: 'CIT', type: 'RECURRING' } as const;
    const first = restPayment({ type: 'DB', standing, createRegistration: true });
    const { paymentId = '' } = await harness.service.authorize(first);
    const { id } = await runs.#schedules(store).create(
      {
        instrument: { by: 'payment', paymentId },
        payment: { sentType: 'SD', type: 'DB', amount: { minor: 999, currency: 'EUR' } },
        job: DAILY,
      },
      OWNERS,
    );
    runs.#id = id;
    return runs;
  }

  #schedules(store: Pick<MemoryStore, 'get' | 'find' | 'findRange' | 'commit'>): Schedules {
    const times = { shortestIntervalSeconds: 1 };
    return new Schedules({ ...this.#harness, store, random: systemRandom, buildNumber: 'test', times });
  }

  /** A node that looks once, and dies where its disk fails. */
  async #look(diesAfter: number | undefined): Promise<void> {
    const ordered = new OrderedStore(this.#store, this.#order);
    ordered.onCommit = (changes) => {
      for (const change of changes)
        if (
          change.op === 'insert' &&
          change.table === 'scheduleRuns' &&
          change.row.runAtMs <= this.#changedMs
        )
          this.faults.push('a run was begun after its merchant had changed the schedule');
    };
    const disk = new FailingStore(ordered);
    let left = diesAfter ?? Number.POSITIVE_INFINITY;
    disk.failWhen = () => {
      left -= 1;
      return left < 0;
    };
    const { context } = this.#harness;
    const service = new GatewayPaymentService({ ...context, store: disk });
    const loop = scheduleLoop({
      ...this.#harness,
      store: disk,
      service,
      random: systemRandom,
      buildNumber: 'test',
      onFault: (error) => {
        if (!String(error).includes('disk')) this.faults.push(String(error));
      },
    });
    loop.wake();
    await loop.idle();
    await loop.stop();
    await service.stop();
  }

  async step({ days, lateMs, nodes, merchant }: Step): Promise<boolean> {
    const { clock } = this.#harness;
    const before = this.#day;
    this.#day += days;
    const dueMs = FIRST_MS + (this.#day - 1) * DAY_MS;
    await clock.advance(dueMs + lateMs - clock.nowMs());
    const changes = merchant === undefined ? [] : [() => this.#change(merchant)];
    await this.#order.run<unknown>([
      ...nodes.map(
        ({ diesAfter }) =>
          () =>
            this.#look(diesAfter),
      ),
      ...changes,
    ]);
    // Those that live go on with what the dead ones have left.
    for (let round = 0; round < 4 && (await this.#isLeft()); round += 1) {
      await clock.advance(LATER_MS);
      await this.#harness.service.resolveOpen();
      await this.#order.run([() => this.#look(undefined)]);
    }
    const isEnded = merchant === 'end';
    const isMissed = lateMs > MISSED_AFTER_MS;
    const isCertain = nodes.every(({ diesAfter }) => diesAfter === undefined);
    for (let day = before + 1; day <= this.#day; day += 1) {
      const isLast = day === this.#day;
      // Of several that were missed the last one is made, and the one that is in time.
      const isLastMissed = day === this.#day - 1 && !isMissed;
      const mayBe = isLast || isLastMissed;
      if (mayBe) this.#mayBe.add(day);
      if (mayBe && merchant === undefined && (isLast || isCertain)) this.#made.add(day);
    }
    return isEnded;
  }

  /** Whether something is due, or claimed by a node that may be dead. */
  async #isLeft(): Promise<boolean> {
    const row = await this.#store.get('schedules', [this.#id]);
    const open = await this.#store.find('intents', 'state', ['open']);
    const isDue = row?.dueAtMs != null && row.dueAtMs <= this.#harness.clock.nowMs() + LATER_MS;
    return isDue || row?.leasedBy != null || open.length > 0;
  }

  async #change(what: 'reschedule' | 'end'): Promise<void> {
    const ordered = new OrderedStore(this.#store, this.#order);
    ordered.onCommit = () => {
      this.#changedMs = this.#harness.clock.nowMs();
    };
    const schedules = this.#schedules(ordered);
    if (what === 'end') await schedules.deschedule(this.#id, OWNERS);
    else await schedules.reschedule(this.#id, OWNERS, { job: DAILY });
  }

  /** Each due time has one payment at most, with one request at the acquirer; and those have one that must. */
  async check(): Promise<void> {
    const runs = await allRows(this.#store, 'scheduleRuns');
    const days = runs.map(({ runAtMs }) => (runAtMs - FIRST_MS) / DAY_MS + 1);
    expect(new Set(days).size, 'a due time with two runs').toBe(days.length);
    for (const day of days) expect(this.#mayBe, `day ${day} was not due`).toContain(day);
    for (const day of this.#made) expect(days, `day ${day} was not run`).toContain(day);
    const stored = await allRows(this.#store, 'payments');
    const paid = stored.filter(({ echo }) => JSON.parse(echo).scheduleId === this.#id);
    expect(new Set(paid.map(({ id }) => id))).toEqual(new Set(runs.map(({ paymentId }) => paymentId)));
    const stands = (await this.#harness.transactions()).filter(
      ({ kind, approved, reversed }) => kind === 'authorization' && approved && !reversed,
    );
    // The first one is the payment of the cardholder.
    expect(stands).toHaveLength(1 + paid.filter(({ state }) => state === 'captured').length);
    expect(this.faults).toEqual([]);
  }

  dispose = (): Promise<void> => this.#harness.dispose();
}

it('are made once for each due time, whatever nodes look, die between claim and payment, or come back', async () => {
  expect(FIRST_MS).toBeGreaterThan(NOW_MS);
  await fc.assert(
    fc.asyncProperty(
      fc.array(STEP, { minLength: 1, maxLength: 4 }),
      fc.array(fc.nat(7), { minLength: 1, maxLength: 30 }),
      async (steps, numbers) => {
        const runs = await Runs.open(numbers);
        for (const step of steps) {
          const isEnded = await runs.step(step);
          await runs.check();
          if (isEnded) break;
        }
        await runs.dispose();
      },
    ),
    propertyRuns(6),
  );
});
