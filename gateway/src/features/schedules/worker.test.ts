import { systemRandom } from '@tillbridge/platform/system-random.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventsOfEntity } from '../../core/payments/events/stored-events.test.support.js';
import {
  ENGINES,
  ENTITY,
  FailingStore,
  NOW_MS,
  openPaymentHarness,
  type PaymentHarness,
  storeOf,
  VISA,
} from '../../core/payments/payment-harness.test.support.js';
import { removedRow } from '../../core/payments/registrations/registration.js';
import type { PaymentRequest } from '../../core/payments/rules/requests.js';
import { GatewayPaymentService } from '../../core/payments/service.js';
import { findAll } from '../../kernel/store/all-rows.js';
import type { PaymentRow, ScheduleRow } from '../../kernel/store/rows.js';
import { type Change, type Store, StoreUnavailableError } from '../../kernel/store/store.js';
import { CLAIM_LIMITS } from '../../kernel/workers/claim-loop.js';
import { sweepVault } from '../../security/vault/upkeep/vault-retention.js';
import type { ScheduledPayment } from './scheduled-payment.js';
import { SCHEDULE_LIMITS, Schedules } from './service.js';
import { scheduleLoop } from './worker.js';

const DAY_MS = 24 * 3_600_000;
const HOUR_MS = 3_600_000;
const PAID: ScheduledPayment = { sentType: 'SD', type: 'DB', amount: { minor: 999, currency: 'EUR' } };
const DAILY = { expression: '0 0 9 * * ?' };
const MONTHLY = { expression: '0 0 9 1 * ?' };

let harness: PaymentHarness;
let store: FailingStore;
let paymentId: string;
afterEach(() => harness.dispose());
const open = async (engine: (typeof ENGINES)[number] = 'memory') => {
  harness = await openPaymentHarness(async (home) => {
    store = new FailingStore(await storeOf(engine)(home));
    return store;
  });
  const first: PaymentRequest = {
    origin: { kind: 'rest', entityId: ENTITY },
    type: 'DB',
    amount: { minor: 100, currency: 'EUR' },
    card: { number: VISA, expiryMonth: '12', expiryYear: '2031', cvv: '123', holder: 'Jane Jones' },
    standing: { mode: 'INITIAL', source: 'CIT', type: 'RECURRING' },
    createRegistration: true,
  };
  paymentId = (await harness.service.authorize(first)).paymentId ?? '';
};

const schedules = () =>
  new Schedules({
    ...harness,
    random: systemRandom,
    buildNumber: 'test',
    times: { shortestIntervalSeconds: 1 },
  });
const create = (job: Readonly<Record<string, string>> = DAILY, more: Partial<ScheduledPayment> = {}) =>
  schedules().create({ instrument: { by: 'payment', paymentId }, payment: { ...PAID, ...more }, job }, [
    ENTITY,
  ]);
const runnerOn = (on: Store = store, faults: unknown[] = []) =>
  scheduleLoop({
    ...harness,
    store: on,
    service: on === store ? harness.service : new GatewayPaymentService({ ...harness.context, store: on }),
    random: systemRandom,
    buildNumber: 'test',
    onFault: (error) => faults.push(error),
  });
/** Lets a runner make what is due. */
const look = async (runner: ReturnType<typeof scheduleLoop>): Promise<void> => {
  runner.wake();
  await runner.idle();
  await runner.stop();
};
/** Lets a runner make what is due at a time. */
const runAt = async (ms: number): Promise<void> => {
  await harness.clock.advance(ms - harness.clock.nowMs());
  await look(runnerOn());
};
/** Payments of runs, the oldest first. */
const paid = async (): Promise<readonly PaymentRow[]> =>
  (await findAll(store, 'payments', 'referenced', [paymentId])).sort((a, b) =>
    a.createdAtMs === b.createdAtMs ? (a.id < b.id ? -1 : 1) : a.createdAtMs - b.createdAtMs,
  );
const captured = async () => (await paid()).filter(({ state }) => state === 'captured').length;
const sources = async () => (await paid()).map(({ echo }) => JSON.parse(echo).source);
const stored = async (id: string): Promise<ScheduleRow> => {
  const row = await store.get('schedules', [id]);
  if (!row) throw new Error('no schedule');
  return row;
};
/** NOW_MS is 2026-11-20T12:00Z. */
const FIRST = Date.UTC(2026, 10, 21, 9);

describe.each(ENGINES)('a run, on the %s store', (engine) => {
  beforeEach(() => open(engine));

  it('is a payment of the merchant with the stored card, at its time', async () => {
    const { id } = await create();
    await runAt(FIRST - 1);
    expect(await paid()).toEqual([]);
    await runAt(FIRST);
    const [payment, ...others] = await paid();
    expect(others).toEqual([]);
    expect(payment).toMatchObject({
      state: 'captured',
      type: 'DB',
      amountMinor: 999,
      last4Digits: VISA.slice(-4),
      holder: 'Jane Jones',
      referencedId: paymentId,
    });
    expect(JSON.parse(payment?.echo ?? '')).toMatchObject({
      source: 'SCHEDULER',
      scheduleId: id,
      standingInstruction: { mode: 'REPEATED', source: 'MIT', type: 'RECURRING' },
    });
    expect(await stored(id)).toMatchObject({
      runAtMs: FIRST + DAY_MS,
      dueAtMs: FIRST + DAY_MS,
      leasedBy: null,
    });
  });

  it('is made once, however many runners look', async () => {
    await create();
    await harness.clock.advance(FIRST - NOW_MS);
    const runners = Array.from({ length: 4 }, () => runnerOn());
    await Promise.all(runners.map(look));
    expect(await paid()).toHaveLength(1);
  });
});

it('keeps to the most of a card where many schedules of a registration are made at once', async () => {
  await open();
  const registrationId = (await store.get('payments', [paymentId]))?.vaultId ?? '';
  const about = { instrument: { by: 'registration', registrationId }, payment: PAID, job: DAILY } as const;
  const made = await Promise.allSettled(
    Array.from({ length: SCHEDULE_LIMITS.perCard + 10 }, () => schedules().create(about, [ENTITY])),
  );
  const stored = await store.find('schedules', 'card', [registrationId]);
  expect(stored).toHaveLength(made.filter(({ status }) => status === 'fulfilled').length);
  expect(stored.length).toBeLessThanOrEqual(SCHEDULE_LIMITS.perCard);
  expect(stored.length).toBeGreaterThan(0);
});

describe('runs that were missed', () => {
  beforeEach(() => open());

  it('are made once, at the last of their times', async () => {
    const { id } = await create();
    await runAt(FIRST + 3 * DAY_MS + HOUR_MS);
    expect(await paid()).toHaveLength(1);
    const [run] = await store.findRange('scheduleRuns', 'time', { equals: [id] });
    expect(run).toMatchObject({ runAtMs: FIRST + 3 * DAY_MS, missed: 3 });
    expect((await stored(id)).runAtMs).toBe(FIRST + 4 * DAY_MS);
  });

  it('are all made within a minute', async () => {
    await create({ expression: '*/20 * * * * ?', endDate: '2026-11-20 12:01:00' });
    await runAt(NOW_MS + 59_000);
    expect(await paid()).toHaveLength(2);
    await runAt(NOW_MS + 61_000);
    expect(await paid()).toHaveLength(3);
  });

  it('are not made after the end of the schedule', async () => {
    const { id } = await create({ ...DAILY, endDate: '2026-11-22 10:00:00' });
    await runAt(FIRST + 3 * DAY_MS);
    expect(await paid()).toEqual([]);
    expect(await stored(id)).toMatchObject({ state: 'ended', dueAtMs: null });
  });
});

describe('a schedule ends', () => {
  beforeEach(() => open());

  it('after its last run, and notifies its merchant', async () => {
    const { id } = await create({ ...DAILY, endDate: '2026-11-21 09:00:00' });
    await runAt(FIRST + 500);
    expect(await paid()).toHaveLength(1);
    expect(await stored(id)).toMatchObject({ state: 'ended', runAtMs: null });
    const kinds = (await eventsOfEntity(store, ENTITY)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'schedule-ended')).toHaveLength(1);
  });

  it('as descheduled when its notice is over', async () => {
    const { id } = await create({ ...DAILY, noticeNumber: '2', noticeUnit: 'DAY' });
    await schedules().deschedule(id, [ENTITY]);
    await runAt(FIRST);
    await runAt(FIRST + DAY_MS);
    await runAt(FIRST + 2 * DAY_MS);
    expect(await paid()).toHaveLength(2);
    expect((await stored(id)).state).toBe('descheduled');
  });

  it('where the registration was removed', async () => {
    const { id, vaultId } = await create();
    const row = await store.get('registrations', [vaultId]);
    if (!row) throw new Error('no registration');
    await store.commit([{ op: 'update', table: 'registrations', row: removedRow(row, NOW_MS) }]);
    await runAt(FIRST);
    expect(await paid()).toMatchObject([{ state: 'declined', resultCode: '100.150.202' }]);
    expect((await stored(id)).state).toBe('ended');
  });

  it('and its card is kept until then', async () => {
    const { id, vaultId } = await create(MONTHLY);
    const keepMs = DAY_MS;
    await harness.clock.advance(100 * DAY_MS);
    const first = await store.get('payments', [paymentId]);
    // A card that was not registered.
    if (first) await store.commit([{ op: 'update', table: 'payments', row: { ...first, answer: '{}' } }]);
    await sweepVault({ ...harness, keepMs });
    expect(await store.get('vault', [vaultId])).toBeDefined();
    await schedules().deschedule(id, [ENTITY]);
    await harness.clock.advance(100 * DAY_MS);
    await sweepVault({ ...harness, keepMs });
    expect(await store.get('vault', [vaultId])).toBeUndefined();
  });
});

describe('a schedule of a card that nothing else needs', () => {
  beforeEach(async () => {
    await open();
    await harness.clock.advance(100 * DAY_MS);
  });
  const keepMs = DAY_MS;
  /** What another process does before a commit that has such a change. */
  const before = (isIt: (change: Change) => boolean, act: () => Promise<unknown>): void => {
    store.beforeCommit = async (changes) => {
      if (!changes.some(isIt)) return;
      store.beforeCommit = async () => undefined;
      await act();
    };
  };

  it('is made of none that is forgotten in this moment', async () => {
    const makes = (change: Change) => change.op === 'insert' && change.table === 'schedules';
    before(makes, () => sweepVault({ ...harness, keepMs }));
    await expect(create(MONTHLY)).rejects.toMatchObject({ code: 'unknown-card' });
  });

  it('keeps one that is about to be forgotten', async () => {
    const forgets = (change: Change) => change.op === 'delete' && change.table === 'vault';
    let vaultId = '';
    before(forgets, async () => {
      ({ vaultId } = await create(MONTHLY));
    });
    expect(await sweepVault({ ...harness, keepMs })).toBe(0);
    expect(await store.get('vault', [vaultId])).toBeDefined();
  });
});

describe('a run that failed', () => {
  beforeEach(() => open());
  const declined = (resultCode: string) => ({ verdict: { kind: 'refused', resultCode } as const });
  const MONTH_1 = Date.UTC(2026, 11, 1, 9);

  it('is tried again after 1, 3 and 7 days for lack of money, and then no more', async () => {
    const { id } = await create(MONTHLY, declined('800.100.203'));
    let atMs = MONTH_1;
    for (const days of [0, 1, 3, 7]) {
      atMs += days * DAY_MS;
      await runAt(atMs - 1_000);
      const before = (await paid()).length;
      await runAt(atMs);
      expect((await paid()).length).toBe(before + 1);
    }
    expect(await sources()).toEqual(['SCHEDULER', 'MACRETRY', 'MACRETRY', 'MACRETRY']);
    expect(await stored(id)).toMatchObject({ runAtMs: Date.UTC(2027, 0, 1, 9), attempt: 0 });
  });

  it('gives way to the next one', async () => {
    const { id } = await create(DAILY, declined('800.100.203'));
    await runAt(FIRST);
    expect(await stored(id)).toMatchObject({ runAtMs: FIRST + DAY_MS, attempt: 0 });
  });

  it('is tried again soon after a fault on the way', async () => {
    const { id } = await create(MONTHLY, declined('900.100.300'));
    await runAt(MONTH_1);
    expect(await stored(id)).toMatchObject({ attempt: 1, dueAtMs: MONTH_1 + 5 * 60_000 });
  });

  it('is not tried again where the card will never pay', async () => {
    const { id } = await create(MONTHLY, declined('800.100.159'));
    await runAt(MONTH_1);
    expect(await stored(id)).toMatchObject({ attempt: 0, runAtMs: Date.UTC(2027, 0, 1, 9) });
  });
});

describe('a run whose outcome comes late', () => {
  beforeEach(() => open());

  it('is waited for, and counts as a fault on the way where the acquirer never saw it', async () => {
    const { id } = await create();
    harness.line.cut = true;
    await runAt(FIRST);
    expect(await stored(id)).toMatchObject({ runAtMs: FIRST, attempt: 0, leasedBy: null, claims: 0 });
    await runAt(FIRST + 10_000);
    harness.line.cut = false;
    await harness.service.resolveOpen();
    await runAt(FIRST + 20_000);
    expect(await paid()).toMatchObject([{ state: 'declined' }]);
    expect(await stored(id)).toMatchObject({ runAtMs: FIRST, attempt: 1 });
    await runAt(FIRST + 20_000 + 5 * 60_000);
    expect(await paid()).toMatchObject([{ state: 'declined' }, { state: 'captured' }]);
    expect((await stored(id)).runAtMs).toBe(FIRST + DAY_MS);
  });

  it('is not made again where the acquirer approved it and its answer got lost', async () => {
    const { id } = await create();
    harness.line.fault = 'answer-lost';
    await runAt(FIRST);
    await runAt(FIRST + 10_000);
    expect(await paid()).toMatchObject([{ state: 'captured' }]);
    expect((await stored(id)).runAtMs).toBe(FIRST + DAY_MS);
  });

  it('is left to its payment after some time', async () => {
    const { id } = await create();
    harness.line.cut = true;
    await runAt(FIRST);
    await runAt(FIRST + 11 * 60_000);
    expect((await stored(id)).runAtMs).toBe(FIRST + DAY_MS);
    harness.line.cut = false;
    await harness.service.resolveOpen();
  });
});

/** A process that ends at one of its commits, before or after it is written. */
class EndingStore extends FailingStore {
  #commits = 0;
  readonly #end: { readonly at: number; readonly isWritten: boolean };
  hasEnded = false;

  constructor(on: Store, end: { readonly at: number; readonly isWritten: boolean }) {
    super(on);
    this.#end = end;
  }

  override async commit(changes: Parameters<Store['commit']>[0]): Promise<void> {
    const isLast = this.#commits === this.#end.at;
    this.#commits += 1;
    if (!this.hasEnded && (!isLast || this.#end.isWritten)) await super.commit(changes);
    if (!isLast && !this.hasEnded) return;
    this.hasEnded = true;
    throw new StoreUnavailableError('disk-full', 'the process has ended');
  }
}

describe('a runner that ends at any of its commits', () => {
  beforeEach(() => open());

  it('leaves the run to the next one, which makes it once', async () => {
    let ends = 0;
    for (const isWritten of [false, true]) {
      for (let at = 0; ; at += 1) {
        const before = await captured();
        const { id } = await create(DAILY);
        const { runAtMs } = await stored(id);
        await harness.clock.advance((runAtMs ?? 0) - harness.clock.nowMs());
        const ending = new EndingStore(store, { at, isWritten });
        await look(runnerOn(ending));
        if (!ending.hasEnded) {
          await schedules().deschedule(id, [ENTITY]);
          break;
        }
        ends += 1;
        await harness.clock.advance(CLAIM_LIMITS.leaseMs + 1_000);
        await harness.service.resolveOpen();
        await runAt(harness.clock.nowMs());
        // One that the acquirer never saw is a fault on the way, and tried again.
        await runAt(harness.clock.nowMs() + 5 * 60_000);
        const runs = await store.findRange('scheduleRuns', 'time', { equals: [id] });
        expect(new Set(runs.map((run) => run.runAtMs))).toEqual(new Set([runAtMs]));
        expect(await captured()).toBe(before + 1);
        expect((await stored(id)).runAtMs).toBe((runAtMs ?? 0) + DAY_MS);
        await schedules().deschedule(id, [ENTITY]);
      }
    }
    // Claim, intent, outcome and end.
    expect(ends).toBe(8);
  });
});

describe('a schedule whose work never comes to an end', () => {
  beforeEach(() => open());

  it('is suspended, and an alert is raised', async () => {
    const { id } = await create();
    store.failWhen = (changes) => changes.some(({ op }) => op === 'require-field');
    let atMs = FIRST;
    for (let claim = 0; claim <= CLAIM_LIMITS.maxClaims; claim += 1) {
      await runAt(atMs);
      atMs += HOUR_MS;
    }
    store.failWhen = () => false;
    expect(await stored(id)).toMatchObject({ state: 'suspended', dueAtMs: null });
    expect(await store.find('alerts', 'code', ['schedule-suspended', 'open'])).toMatchObject([
      { subject: id },
    ]);
    expect((await schedules().reschedule(id, [ENTITY], { job: DAILY })).state).toBe('active');
  });
});
