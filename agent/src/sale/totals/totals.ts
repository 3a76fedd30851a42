import { formatAmount } from '@tillbridge/wire/payment/money.js';

/** What totals can be grouped by; amounts of two currencies are never added. */
export const TOTALS_BY = ['terminal', 'brand', 'currency', 'till'] as const;

/** One of {@link TOTALS_BY}. */
export type TotalsBy = (typeof TOTALS_BY)[number];

/**
 * What a movement counts as. The first five stand at the acquirer: `approved` (sales and captures), `refunded`, `preauthorized` (what is
 * held and not captured), `reversed` and `reversedRefunds`. `tips` and `cashBack` are parts of what is `approved`. The others do not count yet, or never: `waiting` (taken here, the gateway has
 * not confirmed it), `running`, `unknown` (also while a reversal is under way), `parked`, `lateDeclined` (taken offline, not paid).
 */
export const TOTAL_KINDS = [
  'approved',
  'refunded',
  'preauthorized',
  'reversed',
  'reversedRefunds',
  'tips',
  'cashBack',
  'waiting',
  'running',
  'unknown',
  'parked',
  'lateDeclined',
] as const;

/** One of {@link TOTAL_KINDS}. */
export type TotalKind = (typeof TOTAL_KINDS)[number];

/** One amount that counts. */
export interface Movement {
  readonly kind: TotalKind;
  /** Minor units. */
  readonly minor: number;
  /** How many it stands for; default: 1. Below zero where it takes back what was counted before. */
  readonly count?: number;
  readonly currency: string;
  readonly terminal: string;
  /** Empty where there was no card, or no till with its own token. */
  readonly brand: string;
  readonly till: string;
}

/** How many, and how much: a decimal text. */
interface Total {
  readonly count: number;
  readonly amount: string;
}

/** The totals of one key in one currency. */
export type TotalsGroup = Readonly<Record<TotalKind, Total>> & {
  /** The terminal, brand, currency or till; empty where there is none. */
  readonly key: string;
  readonly currency: string;
  /** `approved` less `refunded`. */
  readonly net: string;
};

/** Groups and adds up movements; groups are in the order of key and currency. */
export function totalsOf(movements: Iterable<Movement>, by: TotalsBy): readonly TotalsGroup[] {
  const groups = new Map<string, { key: string; currency: string; sums: Sums }>();
  for (const movement of movements) {
    const { currency, kind, minor, count = 1 } = movement;
    const id = `${movement[by]}\n${currency}`;
    const group = groups.get(id) ?? { key: movement[by], currency, sums: emptySums() };
    groups.set(id, group);
    group.sums[kind].count += count;
    group.sums[kind].minor += minor;
  }
  return [...groups.values()]
    .sort((a, b) => compare(a.key, b.key) || compare(a.currency, b.currency))
    .map(({ key, currency, sums }) => {
      const total = (kind: TotalKind): Total => ({
        count: sums[kind].count,
        amount: formatAmount({ minor: sums[kind].minor, currency }),
      });
      const totals = Object.fromEntries(TOTAL_KINDS.map((kind) => [kind, total(kind)]));
      const net = formatAmount({ minor: sums.approved.minor - sums.refunded.minor, currency });
      return { key, currency, net, ...(totals as Record<TotalKind, Total>) };
    });
}

type Sums = Record<TotalKind, { count: number; minor: number }>;

function emptySums(): Sums {
  return Object.fromEntries(TOTAL_KINDS.map((kind) => [kind, { count: 0, minor: 0 }])) as Sums;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
