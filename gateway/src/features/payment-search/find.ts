import type { PaymentRow } from '../../kernel/store/rows.js';
import type { Store } from '../../kernel/store/store.js';
import type { KnownSlice, KnownSlices } from './known-slices.js';
import { amongOf, fits, isBehind, type ListPlace, type PaymentSearch, wantedTerms } from './rules/search.js';
import type { EmailMark } from './rules/slice.js';
import { filterTest } from './rules/term-filter.js';

/** Limits of one search, by name: where it ends before its page is full it states how far it came. */
export const SEARCH_LIMITS = {
  /** Payments that are read of the time that has no slice yet. */
  rows: 5_000,
  /** Slices whose payments are looked at in vain, one after the other. */
  slices: 40,
  /** Slices that follow each other and are looked at together. */
  slicesOfRead: 8,
  /** Payments of one read. */
  rowsAtOnce: 128,
  /** Late payments of an entity that are known. */
  late: 1_000,
} as const;

/** What a search works with. */
interface FindDeps {
  readonly store: Pick<Store, 'findRange' | 'countRange'>;
  readonly slices: Pick<KnownSlices, 'of'>;
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
  if (wanted.length === 0) {
    yield* plainRows(deps, entityId, search, search, { rows: Number.POSITIVE_INFINITY });
    return;
  }
  const test = filterTest(wanted);
  const seems = ({ filter }: KnownSlice): boolean => test(filter);
  for await (const time of grouped(timesOf(deps, entityId, search), seems)) {
    const within = { fromMs: Math.max(time.fromMs, search.fromMs), toMs: Math.min(time.toMs, search.toMs) };
    const isShort = time.slices > 0 || (await isShortTime(deps, entityId, within));
    const rows = isShort
      ? comparedRows(deps, entityId, search, within)
      : plainRows(deps, entityId, search, within, budget);
    let isFound = false;
    for await (const step of rows) {
      yield step;
      if ('reached' in step) return;
      isFound = true;
    }
    if (!isFound) budget.slices -= time.slices;
    if (budget.slices > 0) continue;
    yield { reached: { atMs: within.fromMs, id: '' } };
    return;
  }
}

/** A part of the time: with its slice, or without one. */
interface Time {
  readonly fromMs: number;
  readonly toMs: number;
  readonly slice?: KnownSlice;
}

/** A part of the time that has to be looked at, and how many slices it is of. */
interface GroupedTime extends Time {
  readonly slices: number;
}

/** The times without a slice, and those of slices that seem to have what is looked for; what follows each other is read together. */
async function* grouped(
  times: AsyncGenerator<Time, void>,
  seems: (slice: KnownSlice) => boolean,
): AsyncGenerator<GroupedTime, void> {
  let group: GroupedTime | undefined;
  for await (const { slice, fromMs, toMs } of times) {
    const isMore = slice !== undefined && seems(slice);
    if (group && isMore && group.slices < SEARCH_LIMITS.slicesOfRead) {
      group = { fromMs, toMs: group.toMs, slices: group.slices + 1 };
      continue;
    }
    if (group) yield group;
    group = isMore ? { fromMs, toMs, slices: 1 } : undefined;
    if (!slice) yield { fromMs, toMs, slices: 0 };
  }
  if (group) yield group;
}

/** The times of a search, latest first: what is newer than the last slice, the slices, and between them the times of late payments. */
async function* timesOf(
  { store, slices: known }: FindDeps,
  entityId: string,
  { fromMs, toMs }: PaymentSearch,
): AsyncGenerator<Time, void> {
  // Before the slices: a note goes long after its slice was made anew.
  const notes = await store.findRange('latePayments', 'time', {
    ...{ equals: [entityId], from: fromMs, below: toMs, descending: true, limit: SEARCH_LIMITS.late },
  });
  const slices = await known.of(entityId);
  const sinceMs = Math.max(slices.at(-1)?.toMs ?? fromMs, fromMs);
  if (sinceMs < toMs) yield { fromMs: sinceMs, toMs };
  let late = [...new Set(notes.map(({ atMs }) => atMs))].filter((atMs) => atMs < sinceMs);
  for (let at = slices.length - 1; at >= 0; at -= 1) {
    const slice = slices[at];
    if (!slice || slice.toMs <= fromMs) break;
    if (slice.fromMs >= toMs) continue;
    // Where nothing was when the slices were made.
    for (const atMs of late.filter((each) => each >= slice.toMs)) yield { fromMs: atMs, toMs: atMs + 1 };
    const isOutdated = late.some((atMs) => atMs >= slice.fromMs && atMs < slice.toMs);
    yield { fromMs: slice.fromMs, toMs: slice.toMs, ...(!isOutdated && { slice }) };
    late = late.filter((atMs) => atMs < slice.fromMs);
  }
  for (const atMs of late) yield { fromMs: atMs, toMs: atMs + 1 };
}

/** Whether a time without a slice has so few payments that the database may compare them all at once. */
async function isShortTime(
  { store }: FindDeps,
  entityId: string,
  { fromMs: from, toMs: below }: { readonly fromMs: number; readonly toMs: number },
): Promise<boolean> {
  const limit = SEARCH_LIMITS.rows + 1;
  return (await store.countRange('payments', 'time', { equals: [entityId], from, below, limit })) < limit;
}

/** What a short time has of what is looked for; the database compares. */
async function* comparedRows(
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
