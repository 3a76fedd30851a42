import type { PaymentRow, PaymentSliceRow } from '../../kernel/store/rows.js';
import type { Store } from '../../kernel/store/store.js';
import { amongOf, fits, isBehind, type ListPlace, type PaymentSearch, wantedTerms } from './rules/search.js';
import type { EmailMark } from './rules/slice.js';
import { mayHave } from './rules/term-filter.js';

/** Limits of one search, by name: where it ends before its page is full it states how far it came. */
export const SEARCH_LIMITS = {
  /** Payments that are read of the time that has no slice yet. */
  rows: 5_000,
  /** Slices whose payments are looked at in vain, one after the other. */
  slices: 40,
  /** Slices of one read. */
  slicesAtOnce: 128,
  /** Payments of one read. */
  rowsAtOnce: 128,
  /** Late payments of an entity that are known. */
  late: 1_000,
} as const;

/** What a search works with. */
interface FindDeps {
  readonly store: Pick<Store, 'findRange'>;
  readonly markOf: EmailMark;
}

/** What a search still may do. */
interface Budget {
  rows: number;
  slices: number;
}

/** A payment that was found, or the place up to which the search has come without one. */
type Step = { readonly payment: PaymentRow } | { readonly reached: ListPlace };

/** A page of a list, newest first. */
export interface FoundPage {
  readonly payments: readonly PaymentRow[];
  /** Where the next page begins; absent: there is none. */
  readonly next?: ListPlace;
}

/**
 * Payments of the entities that are looked for, newest first, behind a place.
 * @param entityIds merchant and channels, whose payments the caller may see
 * @throws StoreUnavailableError
 */
export async function findPage(
  deps: FindDeps,
  entityIds: readonly string[],
  search: PaymentSearch,
  {
    limit,
    after,
    scale = 1,
  }: { readonly limit: number; readonly after?: ListPlace; readonly scale?: number },
): Promise<FoundPage> {
  const toMs = after ? Math.min(search.toMs, after.atMs + 1) : search.toMs;
  const bounded = { ...search, toMs };
  const budget = { rows: SEARCH_LIMITS.rows * scale, slices: SEARCH_LIMITS.slices * scale };
  const cursors = await Promise.all(
    entityIds.map(async (entityId) => {
      const steps = stepsOf(deps, entityId, bounded, budget);
      return { steps, head: await nextOf(steps, after) };
    }),
  );
  const payments: PaymentRow[] = [];
  for (;;) {
    let first: (typeof cursors)[number] | undefined;
    for (const cursor of cursors)
      if (cursor.head && (!first?.head || isNewer(cursor.head, first.head))) first = cursor;
    if (!first?.head) return { payments };
    if ('reached' in first.head) return { payments, next: first.head.reached };
    const last = payments.at(-1);
    if (payments.length === limit && last) return { payments, next: placeOf(last) };
    payments.push(first.head.payment);
    first.head = await nextOf(first.steps, after);
  }
}

async function nextOf(
  steps: AsyncGenerator<Step, void>,
  after: ListPlace | undefined,
): Promise<Step | undefined> {
  for (;;) {
    const { value } = await steps.next();
    if (!value || 'reached' in value || isBehind(value.payment, after)) return value ?? undefined;
  }
}

function placeOf({ createdAtMs: atMs, id }: PaymentRow): ListPlace {
  return { atMs, id };
}

/** A place that was reached stands behind all payments of its time. */
function isNewer(one: Step, other: Step): boolean {
  const [a, b] = [one, other].map((step) => ('payment' in step ? placeOf(step.payment) : step.reached));
  if (!a || !b) return false;
  return a.atMs === b.atMs ? a.id > b.id : a.atMs > b.atMs;
}

/** What is found of one entity, newest first. */
async function* stepsOf(
  deps: FindDeps,
  entityId: string,
  search: PaymentSearch,
  budget: Budget,
): AsyncGenerator<Step, void> {
  const wanted = wantedTerms(search, deps.markOf);
  let upTo = search.toMs;
  const ranges = wanted.length === 0 ? [] : rangesOf(deps, entityId, search);
  for await (const range of ranges) {
    // Between two slices there is nothing, but for late payments; behind the last one all that is new.
    if ('slice' in range && !mayHave(range.slice.terms, wanted)) {
      upTo = range.slice.fromMs;
      continue;
    }
    const [fromMs, toMs] =
      'slice' in range ? [range.slice.fromMs, range.slice.toMs] : [range.fromMs, range.toMs];
    const within = { fromMs: Math.max(fromMs, search.fromMs), toMs: Math.min(toMs, upTo) };
    const rows =
      'slice' in range
        ? slicedRows(deps, entityId, search, within)
        : plainRows(deps, entityId, search, within, budget);
    let isFound = false;
    for await (const step of rows) {
      yield step;
      if ('reached' in step) return;
      isFound = true;
    }
    upTo = Math.min(upTo, fromMs);
    if ('slice' in range && !isFound) {
      budget.slices -= 1;
      if (budget.slices <= 0) {
        yield { reached: { atMs: fromMs, id: '' } };
        return;
      }
    }
  }
  if (wanted.length === 0)
    yield* plainRows(deps, entityId, search, search, { rows: Number.POSITIVE_INFINITY });
}

/** A slice, or a time that has none. */
type TimeRange = { readonly slice: PaymentSliceRow } | { readonly fromMs: number; readonly toMs: number };

/** The times of a search, latest first: what is newer than the last slice, the slices, and between them the times of late payments. */
async function* rangesOf(
  { store }: FindDeps,
  entityId: string,
  { fromMs, toMs }: PaymentSearch,
): AsyncGenerator<TimeRange, void> {
  const equals = [entityId];
  const late = [
    ...(await store.findRange('latePayments', 'time', {
      ...{ equals, from: fromMs, below: toMs, descending: true, limit: SEARCH_LIMITS.late },
    })),
  ];
  let below = toMs;
  let isFirst = true;
  for (;;) {
    const slices = await store.findRange('paymentSlices', 'primary', {
      ...{ equals, below, descending: true, limit: SEARCH_LIMITS.slicesAtOnce },
    });
    if (isFirst) {
      const sinceMs = Math.max(slices[0]?.toMs ?? fromMs, fromMs);
      if (sinceMs < toMs) yield { fromMs: sinceMs, toMs };
      isFirst = false;
    }
    for (const slice of slices) {
      if (slice.toMs <= fromMs) return;
      const times: number[] = [];
      while (late[0] && late[0].atMs >= slice.fromMs) times.push(late.shift()?.atMs ?? 0);
      // The filter of the slice does not know them.
      if (times.some((atMs) => atMs < slice.toMs))
        yield { fromMs: slice.fromMs, toMs: Math.max(slice.toMs, ...times.map((atMs) => atMs + 1)) };
      else {
        for (const atMs of times) yield { fromMs: atMs, toMs: atMs + 1 };
        yield { slice };
      }
    }
    const last = slices.at(-1);
    if (!last || slices.length < SEARCH_LIMITS.slicesAtOnce) break;
    below = last.fromMs;
  }
  for (const { atMs } of late) yield { fromMs: atMs, toMs: atMs + 1 };
}

/** What a slice has of what is looked for; the database compares. */
async function* slicedRows(
  { store }: FindDeps,
  entityId: string,
  search: PaymentSearch,
  { fromMs: from, toMs: below }: { readonly fromMs: number; readonly toMs: number },
): AsyncGenerator<Step, void> {
  if (from >= below) return;
  const among = amongOf(search);
  const range = { equals: [entityId], from, below, among, descending: true } as const;
  for (let skip = 0; ; skip += SEARCH_LIMITS.rowsAtOnce) {
    const rows = await store.findRange('payments', 'time', {
      ...range,
      skip,
      limit: SEARCH_LIMITS.rowsAtOnce,
    });
    for (const payment of rows) if (fits(payment, search)) yield { payment };
    if (rows.length < SEARCH_LIMITS.rowsAtOnce) return;
  }
}

/** What a time without a slice has, read payment by payment as far as the search may. */
async function* plainRows(
  { store }: FindDeps,
  entityId: string,
  search: PaymentSearch,
  { fromMs: from, toMs }: { readonly fromMs: number; readonly toMs: number },
  budget: Pick<Budget, 'rows'>,
): AsyncGenerator<Step, void> {
  let [below, skip] = [toMs, 0];
  while (from < below) {
    const rows = await store.findRange('payments', 'time', {
      ...{ equals: [entityId], from, below, descending: true, skip, limit: SEARCH_LIMITS.rowsAtOnce },
    });
    for (const payment of rows) if (fits(payment, search)) yield { payment };
    const last = rows.at(-1);
    if (!last || rows.length < SEARCH_LIMITS.rowsAtOnce) return;
    budget.rows -= rows.length;
    if (budget.rows <= 0) {
      yield { reached: placeOf(last) };
      return;
    }
    // Passing over all that was read before would cost more with every read.
    const alike = rows.filter(({ createdAtMs }) => createdAtMs === last.createdAtMs).length;
    skip = below === last.createdAtMs + 1 ? skip + alike : alike;
    below = last.createdAtMs + 1;
  }
}
