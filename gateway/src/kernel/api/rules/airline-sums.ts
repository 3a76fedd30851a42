import type { Rule } from './rule.js';
import { amountIn, itemsOf, notThe } from './sums.js';

const LEG = /^airline\.passengers\[\d+\]\.legs\[\d+\]\./;

/** Totals of an itinerary, and the amount of its legs that each is the sum of. */
const TOTALS = [
  { total: 'totalFareAmount', part: 'fareAmount' },
  { total: 'totalFeesAmount', part: 'feesAmount' },
  // The specification leaves open whether a departure tax is one of the taxes: the total may have it or not.
  { total: 'totalTaxAmount', part: 'taxAmount', optional: 'departureTaxAmount' },
] as const;

/**
 * A total of an airline is the sum of its legs, where every leg names the amount; where some do, the total is no less than they have. Nothing is
 * left to rounding: nothing is rounded.
 */
export const airlineSumRule: Rule = (facts) => {
  if (facts.compatibility === 'legacy' || !facts.groups.has('airline')) return [];
  const legs = [...itemsOf(facts, LEG)];
  return TOTALS.flatMap((row) => {
    const total = amountIn(facts, `airline.${row.total}`);
    const parts = legs.map((leg) => amountIn(facts, leg + row.part)).filter((each) => each !== undefined);
    if (total === undefined || parts.length === 0) return [];
    const least = sumOf(parts);
    const most =
      least + ('optional' in row ? sumOf(legs.map((leg) => amountIn(facts, leg + row.optional))) : 0n);
    const isWhole = parts.length === legs.length;
    if (total >= least && (total <= most || !isWhole)) return [];
    const rule = isWhole ? `be the sum of ${row.part} of all legs` : `be no less than the sum of ${row.part}`;
    return [notThe(facts, `airline.${row.total}`, rule, least)];
  });
};

function sumOf(amounts: readonly (bigint | undefined)[]): bigint {
  return amounts.reduce<bigint>((sum, amount) => sum + (amount ?? 0n), 0n);
}
