import { formatAmount } from '@tillbridge/wire/payment/money.js';
import { resultDescription } from '@tillbridge/wire/payment/result-codes/result-codes.js';
import type { PaymentRow, PaymentSliceRow } from '../../kernel/store/rows.js';
import type { Store } from '../../kernel/store/store.js';
import { HOUR_MS, hourOf, type SliceTotal, totalsOf } from './rules/slice.js';

/** Limits of what is added up at once, by name. */
export const TOTALS_LIMITS = {
  /** Payments that are read of the time that has no slice, for each entity. */
  rows: 20_000,
  rowsAtOnce: 500,
  slicesAtOnce: 500,
  /** Longest time frame by interval, in milliseconds. */
  frameMs: { hour: 31 * 24 * HOUR_MS, day: 366 * 24 * HOUR_MS },
} as const;

/** Which payments are added up, and by which parts of the time. */
export interface TotalsRequest {
  readonly fromMs: number;
  readonly toMs: number;
  readonly interval: 'hour' | 'day';
  readonly types: readonly string[];
  readonly currency?: string;
}

/** What payments of a time are alike in, and how many there are. */
interface TimedTotal extends SliceTotal {
  /** Beginning of the hour. */
  readonly atMs: number;
}

/** The totals of payments; `computedTo` where some of the newest could not be added up. */
export interface PaymentTotals {
  readonly totals: readonly TimedTotal[];
  readonly isWhole: boolean;
}

/** Adds up payments of the entities: slices that lie within the time frame as they are, the rest payment by payment. @throws StoreUnavailableError */
export async function totalsOfTime(
  store: Pick<Store, 'findRange'>,
  entityIds: readonly string[],
  request: TotalsRequest,
): Promise<PaymentTotals> {
  const each = await Promise.all(entityIds.map((entityId) => totalsOfEntity(store, entityId, request)));
  return {
    totals: each.flatMap(({ totals }) => totals),
    isWhole: each.every(({ isWhole }) => isWhole),
  };
}

async function totalsOfEntity(
  store: Pick<Store, 'findRange'>,
  entityId: string,
  { fromMs, toMs }: TotalsRequest,
): Promise<PaymentTotals> {
  const slices = await slicesOf(store, entityId, fromMs, toMs);
  const late = await store.findRange('latePayments', 'time', {
    equals: [entityId],
    from: fromMs,
    below: toMs,
  });
  const isUsable = (slice: PaymentSliceRow): boolean =>
    slice.fromMs >= fromMs &&
    slice.toMs <= toMs &&
    !late.some(({ atMs }) => atMs >= slice.fromMs && atMs < slice.toMs);
  const usable = slices.filter(isUsable);
  const totals = usable.flatMap((slice) =>
    (JSON.parse(slice.totals) as readonly SliceTotal[]).map((total) => ({
      ...total,
      atMs: hourOf(slice.fromMs),
    })),
  );
  const budget = { rows: TOTALS_LIMITS.rows };
  let from = fromMs;
  for (const { fromMs: below, toMs: next } of [...usable, { fromMs: toMs, toMs }]) {
    // Between two slices that follow each other is nothing to read.
    if (from < below) totals.push(...(await plainTotals(store, entityId, from, below, budget)));
    from = next;
  }
  return { totals, isWhole: budget.rows > 0 };
}

async function slicesOf(
  store: Pick<Store, 'findRange'>,
  entityId: string,
  fromMs: number,
  toMs: number,
): Promise<readonly PaymentSliceRow[]> {
  const slices: PaymentSliceRow[] = [];
  for (let from = fromMs; ; ) {
    const page = await store.findRange('paymentSlices', 'primary', {
      ...{ equals: [entityId], from, below: toMs, limit: TOTALS_LIMITS.slicesAtOnce },
    });
    slices.push(...page);
    const last = page.at(-1);
    if (!last || page.length < TOTALS_LIMITS.slicesAtOnce) return slices;
    from = last.fromMs + 1;
  }
}

async function plainTotals(
  store: Pick<Store, 'findRange'>,
  entityId: string,
  fromMs: number,
  below: number,
  budget: { rows: number },
): Promise<readonly TimedTotal[]> {
  const totals: TimedTotal[] = [];
  let [from, skip] = [fromMs, 0];
  while (from < below && budget.rows > 0) {
    const rows = await store.findRange('payments', 'time', {
      ...{ equals: [entityId], from, below, skip, limit: TOTALS_LIMITS.rowsAtOnce },
    });
    const hours = new Map<number, PaymentRow[]>();
    for (const row of rows) {
      const atMs = hourOf(row.createdAtMs);
      const alike = hours.get(atMs);
      if (alike) alike.push(row);
      else hours.set(atMs, [row]);
    }
    for (const [atMs, payments] of hours)
      totals.push(...totalsOf(payments).map((total) => ({ ...total, atMs })));
    const last = rows.at(-1);
    if (!last || rows.length < TOTALS_LIMITS.rowsAtOnce) break;
    budget.rows -= rows.length;
    const alike = rows.filter(({ createdAtMs }) => createdAtMs === last.createdAtMs).length;
    skip = from === last.createdAtMs ? skip + alike : alike;
    from = last.createdAtMs;
  }
  return totals;
}

/** What is shown of a group of payments: how many, how many of them approved, and what these come to. */
interface Group {
  readonly count: number;
  readonly approved: number;
  readonly minor: number;
}

/** The totals as answers show them: by time, brand, response code and reason of declines, each within a currency. Pure. */
export function totalsView({ totals, isWhole }: PaymentTotals, { types, currency, interval }: TotalsRequest) {
  const wanted = totals.filter(
    (total) => types.includes(total.type) && (currency === undefined || total.currency === currency),
  );
  const stepMs = interval === 'hour' ? HOUR_MS : 24 * HOUR_MS;
  const beginOf = ({ atMs }: TimedTotal): string =>
    new Date(Math.floor(atMs / stepMs) * stepMs).toISOString();
  const declined = wanted.filter(({ approved }) => !approved);
  return {
    isWhole,
    periods: groups(wanted, ['from', beginOf]),
    brands: groups(wanted, ['paymentBrand', ({ brand }) => brand ?? '']),
    responseCodes: groups(wanted, ['responseCode', ({ responseCode }) => responseCode ?? '']),
    declines: groups(declined, ['code', ({ resultCode }) => resultCode]).map(
      ({ code, currency: of, count }) => ({
        ...{ code, description: resultDescription(String(code)), currency: of, count },
      }),
    ),
  };
}

function groups<Name extends string>(
  totals: readonly TimedTotal[],
  [name, read]: readonly [name: Name, read: (total: TimedTotal) => string],
) {
  const found = new Map<string, Group & { readonly value: string; readonly currency: string }>();
  for (const total of totals) {
    const { currency, count, minor, approved } = total;
    const value = read(total);
    const key = `${value} ${currency}`;
    const before = found.get(key) ?? { value, currency, count: 0, approved: 0, minor: 0 };
    found.set(key, {
      ...before,
      count: before.count + count,
      approved: before.approved + (approved ? count : 0),
      minor: before.minor + (approved ? minor : 0),
    });
  }
  return [...found]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, { value, currency, count, approved, minor }]) => ({
      ...({ [name]: value } as Record<Name, string>),
      ...{ currency, count, approved, approvalRate: Math.round((approved / count) * 10_000) / 10_000 },
      volume: formatAmount({ minor, currency }),
    }));
}
