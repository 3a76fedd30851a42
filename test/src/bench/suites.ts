import type { BenchRow } from './measure.js';

/** Measurements that belong together. */
export interface BenchSuite {
  readonly name: string;
  readonly run: () => readonly BenchRow[] | Promise<readonly BenchRow[]>;
}

/** The command line names a suite that is not there. Exit code 2. */
export class BenchUsageError extends Error {
  override readonly name = 'BenchUsageError';
}

/**
 * The suites that the arguments name, in the order of the table; all of them without arguments.
 * @throws BenchUsageError
 */
export function chosenSuites(suites: readonly BenchSuite[], names: readonly string[]): readonly BenchSuite[] {
  const unknown = names.find((name) => !suites.some((suite) => suite.name === name));
  if (unknown !== undefined) {
    const known = suites.map(({ name }) => name).join(', ');
    throw new BenchUsageError(`there is no bench ${unknown}; there are ${known}`);
  }
  return names.length === 0 ? suites : suites.filter(({ name }) => names.includes(name));
}
