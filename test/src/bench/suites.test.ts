import { expect, test } from 'vitest';
import { helpText, UsageError } from '../command-line/command-line.js';
import { benchCommand, chosenSuites } from './suites.js';

const SUITES = ['crypto', 'gateway'].map((name) => ({ name, summary: `how fast ${name} is`, run: () => [] }));

test('all suites run where none is named, else those that are', () => {
  expect(chosenSuites(SUITES, [])).toEqual(SUITES);
  expect(chosenSuites(SUITES, ['gateway']).map(({ name }) => name)).toEqual(['gateway']);
});

test('a suite that is not there is refused with the likely one, or with all there are', () => {
  expect(() => chosenSuites(SUITES, ['crypt'])).toThrow(UsageError);
  expect(() => chosenSuites(SUITES, ['crypt'])).toThrow('there is no suite "crypt"; did you mean crypto?');
  expect(() => chosenSuites(SUITES, ['printer'])).toThrow('there are crypto, gateway');
});

test('the help names what each suite measures', () => {
  const help = helpText(benchCommand(SUITES));
  for (const { name, summary } of SUITES) expect(help).toMatch(new RegExp(`${name} +${summary}`));
});
