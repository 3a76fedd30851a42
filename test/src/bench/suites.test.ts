import { expect, test } from 'vitest';
import { BenchUsageError, chosenSuites } from './suites.js';

const SUITES = ['crypto', 'gateway'].map((name) => ({ name, run: () => [] }));

test('all suites run where none is named, else those that are', () => {
  expect(chosenSuites(SUITES, [])).toEqual(SUITES);
  expect(chosenSuites(SUITES, ['gateway']).map(({ name }) => name)).toEqual(['gateway']);
  expect(() => chosenSuites(SUITES, ['crypt'])).toThrow(BenchUsageError);
});
