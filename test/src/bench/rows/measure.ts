import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Contest } from '../codecs/contest.js';

/** One line of the bench table (interfaces: `test/bench/latest.json`). */
export interface BenchRow {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly baseline: number;
  /** How often ours goes into the time of the baseline, measured side by side: above 1 is better than the baseline. */
  readonly ratio: number;
  /** The ratio to reach. */
  readonly goal: number;
}

/** Rounds per contest; ours and the baseline take turns, so that a busy machine slows both sides of a round alike. */
const ROUNDS = 15;
const ROUND_MS = 100;
/** Rounds that do not count: the runtime compiles what it runs often. */
const WARM_UPS = 2;
/** Calls between two looks at the clock. */
const BATCH = 20;

/** Runs a contest: calls per second of both sides and their ratio, each the median of its rounds. */
export function measure({ name, goal, ours, baseline }: Contest): BenchRow {
  for (let warmUp = 0; warmUp < WARM_UPS; warmUp += 1) {
    rate(ours);
    rate(baseline);
  }
  const own: number[] = [];
  const other: number[] = [];
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const [value, base] = [rate(ours), rate(baseline)];
    own.push(value);
    other.push(base);
    ratios.push(value / base);
  }
  return {
    name,
    value: Math.round(median(own)),
    unit: '1/s',
    baseline: Math.round(median(other)),
    ratio: round2(median(ratios)),
    goal,
  };
}

setFlagsFromString('--expose-gc');
const collectGarbage: unknown = runInNewContext('gc');

/** Calls per second. Each side begins with no garbage but its own. */
function rate(call: () => unknown): number {
  if (typeof collectGarbage === 'function') collectGarbage();
  const start = process.hrtime.bigint();
  let calls = 0;
  let elapsedNs = 0;
  while (elapsedNs < ROUND_MS * 1e6) {
    for (let i = 0; i < BATCH; i += 1) call();
    calls += BATCH;
    elapsedNs = Number(process.hrtime.bigint() - start);
  }
  return (calls * 1e9) / elapsedNs;
}

/** The middle value. */
export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}

/** The value to two places. */
export function round2(value: number): number {
  return Math.round(value * 100) / 100;
}
