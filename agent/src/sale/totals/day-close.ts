import { type JournalRow, type JsonObject, type NewRow, noSaleRow } from '../../journal/journal.js';
import { type Movement, TOTAL_KINDS, type TotalKind, type TotalsGroup, totalsOf } from './totals.js';

/** Kinds of the rows of a day close: the last row has what it is, those before its amounts. No card data. */
export const DAY_CLOSE_ROW = 'day-close';
export const DAY_CLOSE_PART_ROW = 'day-close-part';

/** Kinds whose newest row outlives a compaction: numbers and periods go on, and the newest close has its amounts. */
export const DAY_CLOSE_KINDS = [DAY_CLOSE_PART_ROW, DAY_CLOSE_ROW] as const;

/** Kinds that a close counts: the others have no end yet, and count in the close after their end. */
export const CLOSED_KINDS = [
  'approved',
  'refunded',
  'preauthorized',
  'reversed',
  'reversedRefunds',
  'tips',
  'cashBack',
  'lateDeclined',
] as const satisfies readonly TotalKind[];

/** Kinds that are carried over. */
export const CARRIED_KINDS = [
  'waiting',
  'running',
  'unknown',
  'parked',
] as const satisfies readonly TotalKind[];

/** Groups of amounts in a row: the data of a row are bounded. */
const GROUPS_PER_ROW = 50;

/** How many sales have no end yet, by kind. */
export type CarriedOver = Readonly<Record<(typeof CARRIED_KINDS)[number], number>>;

/** What a close is, without its amounts. */
export interface DayCloseHead {
  /** From 1, without gaps. */
  readonly number: number;
  /** The client's own: the same again is the same close. */
  readonly reference: string;
  /** The till that closed; absent: the store. */
  readonly till?: string;
  /** Milliseconds since 1970. */
  readonly sinceMs: number;
  readonly untilMs: number;
  /** The rows of the journal that it covers: from the one after the last close, both included. */
  readonly fromRow: number;
  readonly toRow: number;
  readonly carriedOver: CarriedOver;
  /** How many rows have its amounts. */
  readonly parts: number;
}

/** A day close: what the sales came to since the one before. */
export interface DayClose extends Omit<DayCloseHead, 'parts'> {
  readonly movements: readonly Movement[];
}

/** Movements by terminal, brand, currency and kind, each once; those that come to nothing are left out. */
export function summed(movements: Iterable<Movement>): readonly Movement[] {
  const groups = new Map<string, Movement & { readonly count: number }>();
  for (const { kind, minor, count = 1, currency, terminal, brand } of movements) {
    const key = JSON.stringify([terminal, brand, currency, kind]);
    const before = groups.get(key);
    groups.set(key, {
      ...{ kind, currency, terminal, brand, till: '' },
      minor: (before?.minor ?? 0) + minor,
      count: (before?.count ?? 0) + count,
    });
  }
  return [...groups.values()].filter(({ minor, count }) => minor !== 0 || count !== 0);
}

/** What of a sale a close counts: as it stands now, less what it counted as at the close before. */
export function closedMovements(before: readonly Movement[], now: readonly Movement[]): readonly Movement[] {
  const counts = ({ kind }: Movement) => (CLOSED_KINDS as readonly TotalKind[]).includes(kind);
  return [
    ...now.filter(counts),
    ...before.filter(counts).map((each) => ({ ...each, minor: -each.minor, count: -1 })),
  ];
}

/** The totals of a close by terminal, brand or currency. */
export function closedTotals(
  { movements }: Pick<DayClose, 'movements'>,
  by: 'terminal' | 'brand' | 'currency',
): readonly TotalsGroup[] {
  return totalsOf(movements, by);
}

/** The rows of a close, its head last. */
export function dayCloseRows({ movements, ...head }: DayClose): readonly NewRow[] {
  const { number } = head;
  const parts: NewRow[] = [];
  for (let at = 0; at < movements.length; at += GROUPS_PER_ROW) {
    const groups = movements
      .slice(at, at + GROUPS_PER_ROW)
      .map(({ terminal, brand, currency, kind, count = 1, minor }) => [
        terminal,
        brand,
        currency,
        kind,
        count,
        minor,
      ]);
    parts.push(noSaleRow(DAY_CLOSE_PART_ROW, { number, groups }));
  }
  return [...parts, noSaleRow(DAY_CLOSE_ROW, { ...(head as unknown as JsonObject), parts: parts.length })];
}

/** The head of a close; only this file's own rows are read: the chain vouches for them. */
export function dayCloseHead({ data }: Pick<JournalRow, 'data'>): DayCloseHead {
  return data as unknown as DayCloseHead;
}

/** The close of a head and the rows of its amounts; undefined where some of these are removed. */
export function dayCloseOf(
  { parts: count, ...head }: DayCloseHead,
  parts: readonly Pick<JournalRow, 'data'>[],
): DayClose | undefined {
  const own = parts.filter(({ data }) => data.number === head.number);
  if (own.length < count) return undefined;
  const movements = own
    .flatMap(({ data }) => data.groups as unknown as readonly StoredGroup[])
    .map(([terminal, brand, currency, kind, count, minor]) => ({
      ...{ terminal, brand, currency, kind, count, minor },
      till: '',
    }));
  return { ...head, movements };
}

type StoredGroup = readonly [string, string, string, TotalKind, number, number];

/** Kinds in the order in which totals have them. */
export const CLOSE_ORDER: readonly TotalKind[] = TOTAL_KINDS.filter((kind) =>
  (CLOSED_KINDS as readonly TotalKind[]).includes(kind),
);
