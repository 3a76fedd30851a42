import { describe, expect, it } from 'vitest';
import { isByTimeout, type MutationResult, nameOf, newSurvivors, survivorsOf } from './survivors.js';

const SOURCE = ['function over(a: number, b: number) {', '  return a > b &&', '    b > 0;', '}'].join('\n');
const result = (changes: Partial<MutationResult> = {}): MutationResult => ({
  file: 'a.ts',
  source: SOURCE,
  location: { start: { line: 2, column: 10 }, end: { line: 2, column: 15 } },
  replacement: 'a >= b',
  isFound: false,
  ...changes,
});

it.each([
  ['Timeout', undefined, true],
  ['Timeout', 'Hit limit reached (501/500)', false],
  ['Killed', 'Test timed out in 10000ms.\nIf this is a long-running test, …', true],
  ['Killed', 'Hook timed out in 10000ms.', true],
  ['Killed', 'expected "Test timed out in 10000ms" to be ""', false],
  ['Survived', undefined, false],
])('a change that is %s by %j was noticed by a timeout alone: %s', (status, statusReason, isAlone) => {
  expect(isByTimeout({ status, statusReason })).toBe(isAlone);
});

describe('survivors', () => {
  it('are named by their line and what it becomes', () => {
    expect(nameOf(result())).toEqual({ file: 'a.ts', line: 'return a > b &&', change: 'a > b → a >= b' });
    const location = { start: { line: 2, column: 10 }, end: { line: 3, column: 10 } };
    expect(nameOf(result({ location, replacement: 'true' })).change).toBe('a > b && b > 0 → true');
  });

  it('keep their reason when lines have moved', () => {
    const known = survivorsOf([result()], []).map((each) => ({
      ...each,
      reason: 'equal amounts are refused',
    }));
    const moved = result({
      source: `\n\n${SOURCE}`,
      location: { start: { line: 4, column: 10 }, end: { line: 4, column: 15 } },
    });
    expect(survivorsOf([moved], known)).toEqual(known);
    expect(newSurvivors(survivorsOf([moved], known), known)).toEqual([]);
  });

  it('are new where the record has none of that name, or fewer', () => {
    const known = survivorsOf([result()], []);
    const [twice] = survivorsOf([result(), result()], known);
    expect(twice).toMatchObject({ times: 2 });
    expect(newSurvivors([...(twice ? [twice] : [])], known)).toHaveLength(1);
    expect(newSurvivors(survivorsOf([result({ replacement: 'b > a' })], known), known)).toHaveLength(1);
  });

  it('are not what a test has found', () => {
    expect(survivorsOf([result({ isFound: true })], [])).toEqual([]);
  });
});
