import { type BenchRow, round2 } from './measure.js';

/** A figure that shall not be above what is allowed: ratio 1 and more is reached. */
export function atMost(name: string, unit: string, value: number, allowed: number): BenchRow {
  return {
    name,
    unit,
    value: round3(value),
    baseline: round3(allowed),
    ratio: round2(allowed / value),
    goal: 1,
  };
}

/** A rate that shall reach a share of its baseline. */
export function atLeast(name: string, unit: string, value: number, baseline: number, goal: number): BenchRow {
  return {
    name,
    unit,
    value: round3(value),
    baseline: round3(baseline),
    ratio: round2(value / baseline),
    goal,
  };
}

/** The value below which a share of the values lies. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Three digits that count. */
function round3(value: number): number {
  return Number(value.toPrecision(value >= 1_000 ? 6 : 3));
}
