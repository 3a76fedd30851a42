import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { notingLatePayments } from '../../kernel/data-folder/late-payments.js';
import type { PaymentRow } from '../../kernel/store/rows.js';
import type { Store } from '../../kernel/store/store.js';
import { MemoryStore } from '../../kernel/store/testing/memory-store.js';
import { findPage } from './find.js';
import { KnownSlices } from './known-slices.js';
import { fits, type PaymentSearch } from './rules/search.js';
import { HOUR_MS } from './rules/slice.js';
import { ENTITY, makeEntities, OTHER_ENTITY, paymentOf } from './search-payments.test.support.js';
import { PaymentSlices } from './slices.js';
import { totalsOfTime, totalsView } from './totals.js';

const START_MS = Date.parse('2026-11-20T10:00:00Z');
const markOf = (email: string): string => `mark-of-${email.length}-${email}`;

/** A payment as it is drawn: when it is stored, how long before that it was made, and what it has. */
const PAYMENT = fc.record({
  atMs: fc.integer({ min: 0, max: 6 * HOUR_MS }),
  lateMs: fc.constantFrom(0, 0, 0, 0, 3 * HOUR_MS),
  entityId: fc.constantFrom(ENTITY, ENTITY, OTHER_ENTITY),
  last4Digits: fc.constantFrom('0000', '1234', null),
  amountMinor: fc.constantFrom(100, 1234),
  brand: fc.constantFrom('VISA', 'MASTER'),
  state: fc.constantFrom('captured', 'declined'),
  email: fc.constantFrom('jane@example.com', 'john@example.com', undefined),
  type: fc.constantFrom('DB', 'PA', 'RF'),
});

const SEARCH: fc.Arbitrary<PaymentSearch> = fc.record(
  {
    fromMs: fc.constantFrom(0, START_MS + HOUR_MS),
    toMs: fc.constantFrom(START_MS + 4 * HOUR_MS + 77, 8.64e15),
    columns: fc.record(
      { last4Digits: fc.constant(['1234']), brand: fc.constant(['MASTER']) },
      { requiredKeys: [] },
    ),
    amount: fc.constant({ text: '12.34', minors: [1_234, 12_340] }),
    outcome: fc.constantFrom('approved', 'declined'),
    types: fc.constantFrom(['DB'], ['PA', 'RF']),
    email: fc.constant('jane@example.com'),
  },
  { requiredKeys: ['fromMs', 'toMs', 'columns'] },
);

/** Stores the payments in the order of their times; slices are made meanwhile. */
async function filled(
  drawn: readonly (Parameters<typeof paymentOf>[0] & { readonly atMs: number; readonly lateMs: number })[],
  rounds: readonly number[],
): Promise<{ readonly store: Store; readonly rows: readonly PaymentRow[]; readonly slices: PaymentSlices }> {
  const clock = new VirtualClock(START_MS);
  const store = notingLatePayments(new MemoryStore(), clock);
  await makeEntities(store);
  const at = new Map<number, (() => Promise<unknown>)[]>();
  const plan = (ms: number, work: () => Promise<unknown>): void => {
    at.set(ms, [...(at.get(ms) ?? []), work]);
  };
  // A round waits between two slices: time goes on by itself.
  const slices = new PaymentSlices({ store, clock: { nowMs: () => clock.nowMs(), setTimer }, markOf });
  const rows = drawn.map((each, number) =>
    paymentOf({ ...each, number, createdAtMs: START_MS + each.atMs - each.lateMs }),
  );
  for (const [number, { atMs }] of drawn.entries()) {
    const row = rows[number];
    if (row) plan(atMs, () => store.commit([{ op: 'insert', table: 'payments', row }]));
  }
  for (const ms of rounds) plan(ms, () => slices.round());
  for (const ms of [...at.keys()].sort((a, b) => a - b)) {
    await clock.advance(START_MS + ms - clock.nowMs());
    for (const work of at.get(ms) ?? []) await work();
  }
  return { store, rows, slices };
}

const setTimer = (_ms: number, done: () => void) => {
  queueMicrotask(done);
  return { cancel: () => undefined };
};

describe('a search', () => {
  it('finds each payment that fits once, newest first, with and without slices, page by page', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(PAYMENT, { maxLength: 60 }),
        fc.array(fc.integer({ min: 0, max: 8 * HOUR_MS }), { maxLength: 5 }),
        SEARCH,
        fc.integer({ min: 1, max: 7 }),
        async (drawn, rounds, search, limit) => {
          const { store, rows } = await filled(drawn, rounds);
          for (const owners of [[ENTITY], [ENTITY, OTHER_ENTITY]]) {
            const wanted = rows
              .filter((row) => owners.includes(row.entityId) && fits(row, search))
              .sort((a, b) => b.createdAtMs - a.createdAtMs || (a.id < b.id ? 1 : -1))
              .map(({ id }) => id);
            const found: string[] = [];
            let after: Parameters<typeof findPage>[3]['after'];
            do {
              const page = await findPage(
                { store, slices: new KnownSlices(store, { monotonicMs: () => 0 }), markOf },
                owners,
                search,
                {
                  limit,
                  ...(after && { after }),
                },
              );
              found.push(...page.payments.map(({ id }) => id));
              after = page.next;
            } while (after);
            expect(found).toEqual(wanted);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('adds up the same with and without slices', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(PAYMENT, { maxLength: 40 }),
        fc.array(fc.integer({ min: 0, max: 8 * HOUR_MS }), { maxLength: 4 }),
        fc.integer({ min: 0, max: 3 * HOUR_MS }),
        async (drawn, rounds, fromMs) => {
          const request = {
            ...{ fromMs: START_MS + fromMs, toMs: START_MS + 5 * HOUR_MS + 13, interval: 'hour' as const },
            types: ['DB', 'PA', 'RF'],
          };
          const [sliced, plain] = [await filled(drawn, rounds), await filled(drawn, [])];
          const owners = [ENTITY, OTHER_ENTITY];
          const [one, other] = [
            totalsView(await totalsOfTime(sliced.store, owners, request), request),
            totalsView(await totalsOfTime(plain.store, owners, request), request),
          ];
          expect(one).toEqual(other);
          const count = one.periods.reduce((sum, period) => sum + period.count, 0);
          const inFrame = sliced.rows.filter(
            ({ createdAtMs }) => createdAtMs >= request.fromMs && createdAtMs < request.toMs,
          );
          expect(count).toBe(inFrame.length);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('ends before its page is full where nothing fits for long, and goes on from there', async () => {
    const drawn = Array.from({ length: 12_000 }, (_none, at) => ({
      ...{
        atMs: at,
        lateMs: 0,
        entityId: ENTITY,
        amountMinor: 100,
        brand: 'VISA',
        state: 'captured',
        type: 'DB',
      },
      ...{ last4Digits: at === 5 ? '1234' : '0000', email: undefined },
    })) as Parameters<typeof filled>[0];
    const { store } = await filled(drawn, []);
    const search = { fromMs: 0, toMs: 8.64e15, columns: { last4Digits: ['1234'] } };
    const first = await findPage(
      { store, slices: new KnownSlices(store, { monotonicMs: () => 0 }), markOf },
      [ENTITY],
      search,
      { limit: 10 },
    );
    expect(first.payments).toEqual([]);
    const pages = [first];
    for (let { next } = first; next; next = pages.at(-1)?.next)
      pages.push(
        await findPage(
          { store, slices: new KnownSlices(store, { monotonicMs: () => 0 }), markOf },
          [ENTITY],
          search,
          { limit: 10, after: next },
        ),
      );
    expect(pages.length).toBe(3);
    expect(pages.flatMap(({ payments }) => payments.map(({ last4Digits }) => last4Digits))).toEqual(['1234']);
  });
});

describe('the slices of payments', () => {
  it('have at most so many payments, and are made anew where one was stored without a note', async () => {
    const drawn = Array.from({ length: 4_500 }, (_none, at) => ({
      ...{
        atMs: at,
        lateMs: 0,
        entityId: ENTITY,
        amountMinor: 100,
        brand: 'VISA',
        state: 'captured',
        type: 'DB',
      },
      ...{ last4Digits: '0000', email: undefined },
    })) as Parameters<typeof filled>[0];
    const { store } = await filled(drawn, [2 * HOUR_MS]);
    const read = () => store.findRange('paymentSlices', 'primary', { equals: [ENTITY] });
    const made = await read();
    expect(made.map(({ count }) => count)).toEqual(Array(9).fill(500));
    expect(made.map(({ fromMs, toMs }) => [fromMs - START_MS, toMs - START_MS])).toEqual([
      ...Array.from({ length: 8 }, (_none, at) => [at * 500, at * 500 + 500]),
      [4_000, HOUR_MS],
    ]);
    // As a build does that knows no late payments.
    const unknown = paymentOf({
      number: 9_999,
      entityId: ENTITY,
      createdAtMs: START_MS + 7,
      last4Digits: '1234',
    });
    await (store as Store).commit([{ op: 'insert', table: 'payments', row: unknown }]);
    const [late] = await store.findAfter('latePayments', undefined);
    if (late)
      await store.commit([{ op: 'delete', table: 'latePayments', key: [late.paymentId], version: 1 }]);
    const clock = { nowMs: () => START_MS + 3 * HOUR_MS, setTimer };
    await new PaymentSlices({ store, clock, markOf }).round();
    expect((await read()).map(({ count }) => count)).toEqual([501, ...Array(8).fill(500)]);
  });

  it('hold no e-mail address', async () => {
    const drawn = [{ ...{ atMs: 1, lateMs: 0, entityId: ENTITY, email: 'jane@example.com' } }];
    const { store } = await filled(drawn, [3 * HOUR_MS]);
    const [slice] = await store.findRange('paymentSlices', 'primary', { equals: [ENTITY] });
    expect(slice?.count).toBe(1);
    expect(JSON.stringify(slice)).not.toContain('jane');
  });
});
