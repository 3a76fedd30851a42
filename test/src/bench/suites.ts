import { type CommandSpec, meant, misuse } from '../command-line/command-line.js';
import type { BenchRow } from './rows/measure.js';

/** Measurements that belong together. */
export interface BenchSuite {
  readonly name: string;
  /** What is measured, and against what. */
  readonly summary: string;
  readonly run: (size: BenchSize) => readonly BenchRow[] | Promise<readonly BenchRow[]>;
}

/** How much is measured: `short` proves that a suite works and gives a first figure; goals are stated for `full`. */
export type BenchSize = 'full' | 'short';

/** How to call the bench of these suites. */
export function benchCommand(suites: readonly BenchSuite[]): CommandSpec {
  return {
    call: 'npm run bench --',
    forms: ['[--compare] [--record] [--short] [SUITE…]'],
    summary: 'Measures, each with its baseline in the same run; a table, and test/bench/latest.json.',
    operands: {
      title: 'Suites (default: all, one after the other)',
      rows: suites.map(({ name, summary }) => [name, summary]),
    },
    options: {
      '--compare': { help: 'adds to each ratio that of test/bench/reference.json, and the drift' },
      '--record': { help: 'write the rows of this run into test/bench/reference.json' },
      '--short': { help: 'less data and less time where a suite is long: for a check of the bench itself' },
    },
    notes: [
      'A ratio above 1 is better than the baseline; a goal that is not reached is shown and is no failure.',
      'latest.json holds only the rows of this run.',
    ],
  };
}

/**
 * The suites that are named, in the order of the table; all of them where none is.
 * @throws UsageError
 */
export function chosenSuites(suites: readonly BenchSuite[], names: readonly string[]): readonly BenchSuite[] {
  const known = suites.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const near = meant(unknown, known);
    throw misuse(
      benchCommand(suites),
      `there is no suite "${unknown}"${near || `; there are ${known.join(', ')}`}`,
    );
  }
  return names.length === 0 ? suites : suites.filter(({ name }) => names.includes(name));
}
