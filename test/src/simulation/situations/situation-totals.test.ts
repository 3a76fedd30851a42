import { describe, expect, it } from 'vitest';
import { type RareSituation, SITUATION_NAMES, type SituationCounts } from './rare-situations.js';
import { missingText, SEEDS_FOR_COVERAGE, SituationTotals } from './situation-totals.js';

const RARE = 'replayed card refused' satisfies RareSituation;
const EVERYTHING: SituationCounts = Object.fromEntries(SITUATION_NAMES.map((name) => [name, 1]));
const WITHOUT: SituationCounts = Object.fromEntries(
  Object.entries(EVERYTHING).filter(([name]) => name !== RARE),
);

function totalsOf(simulations: number, countsOf: (seed: number) => SituationCounts): SituationTotals {
  const totals = new SituationTotals();
  // Threads finish their simulations in any order.
  for (let seed = simulations; seed >= 1; seed -= 1) totals.add(seed, countsOf(seed));
  return totals;
}

describe('rare situations of a run', () => {
  it('adds up simulations and times, and keeps the lowest seed', () => {
    const totals = totalsOf(20, (seed) => (seed % 7 === 0 ? { [RARE]: seed } : {}));
    expect(totals.of(RARE)).toEqual({ simulations: 2, times: 21, firstSeed: 7 });
    expect(totals.of('offline record expired')).toBeUndefined();
  });

  it('names a situation that happened in no simulation of a large run', () => {
    expect(totalsOf(SEEDS_FOR_COVERAGE, () => WITHOUT).missing()).toEqual([RARE]);
    expect(missingText(RARE)).toMatch(/^not met in any simulation: replayed card refused \(.+\)$/);
  });

  it('requires no coverage of a smaller run', () => {
    expect(totalsOf(SEEDS_FOR_COVERAGE - 1, () => WITHOUT).missing()).toEqual([]);
  });

  it('is content with one simulation of each situation', () => {
    const totals = totalsOf(SEEDS_FOR_COVERAGE, (seed) => (seed === 500 ? EVERYTHING : {}));
    expect(totals.missing()).toEqual([]);
  });

  it('prints every situation with its counts', () => {
    const table = totalsOf(3, (seed) => (seed > 1 ? WITHOUT : {})).table();
    expect(table).toHaveLength(SITUATION_NAMES.length + 1);
    expect(table[0]).toMatch(/^situation +simulations +times +first seed$/);
    expect(table.find((line) => line.startsWith('offline record expired'))).toMatch(/ 2 +2 +2$/);
    expect(table.find((line) => line.startsWith(RARE))).toMatch(/ 0 +0 +-$/);
  });
});
