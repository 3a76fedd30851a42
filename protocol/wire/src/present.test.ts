import { expect, it } from 'vitest';
import { addPresent, present } from './present.js';

it('keeps members with a value, empty ones and zero among them', () => {
  expect(Object.keys(present({ a: undefined, b: null, c: '', d: 0, e: false, f: 'x' }))).toEqual([
    'c',
    'd',
    'e',
    'f',
  ]);
});

it('adds members with a value to an object, in the place of those that it has', () => {
  const target: Record<string, unknown> = { a: 1, b: 2 };
  addPresent(target, { b: 0, c: '', d: null, a: undefined });
  expect(Object.entries(target)).toEqual([
    ['a', 1],
    ['b', 0],
    ['c', ''],
  ]);
});
