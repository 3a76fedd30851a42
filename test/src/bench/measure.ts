/** One line of the bench table (interfaces: `test/bench/latest.json`). */
export interface BenchRow {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly baseline: number;
  /** `value / baseline`, so that above 1 is better than the baseline. */
  readonly ratio: number;
  /** The ratio to reach. */
  readonly goal: number;
}

/** Two ways to do the same thing. */
export interface Contest {
  readonly name: string;
  readonly goal: number;
  readonly ours: () => unknown;
  readonly baseline: () => unknown;
}

/** Rounds per contest; ours and the baseline take turns, so that a busy machine slows both. */
const ROUNDS = 7;
const ROUND_MS = 150;
/** Calls between two looks at the clock. */
const BATCH = 20;

/** Runs a contest: calls per second of both sides, each the median of its rounds. */
export function measure({ name, goal, ours, baseline }: Contest): BenchRow {
  rate(ours);
  rate(baseline);
  const own: number[] = [];
  const other: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    own.push(rate(ours));
    other.push(rate(baseline));
  }
  const [value, base] = [median(own), median(other)];
  return {
    name,
    value: Math.round(value),
    unit: '1/s',
    baseline: Math.round(base),
    ratio: round2(value / base),
    goal,
  };
}

function rate(call: () => unknown): number {
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

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}

function round2(value: number): number {
  return Math.round(value * 100) / 100;
}
