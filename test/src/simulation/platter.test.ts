import { expect, test } from 'vitest';
import { Platter } from './platter.js';

function written(platter: Platter<string[]>, ...words: readonly string[]): void {
  for (const word of words) {
    const entry = (state: string[]) => void state.push(word);
    entry(platter.state);
    platter.written(entry);
  }
}

test('a power cut takes what was not synced, and leaves what was', () => {
  const platter = new Platter<string[]>(() => []);
  written(platter, 'a', 'b');
  platter.sync();
  written(platter, 'c', 'd');
  expect(platter.state).toEqual(['a', 'b', 'c', 'd']);
  expect(platter.powerCut()).toBe(2);
  expect(platter.state).toEqual(['a', 'b']);
  written(platter, 'e');
  platter.sync();
  expect(platter.powerCut()).toBe(0);
  expect(platter.state).toEqual(['a', 'b', 'e']);
});

test('a tear leaves a prefix, which a later cut cannot take any more', () => {
  const platter = new Platter<string[]>(() => []);
  written(platter, 'a', 'b', 'c');
  expect(platter.powerCut(1)).toBe(2);
  expect(platter.powerCut()).toBe(0);
  expect(platter.state).toEqual(['a']);
});
