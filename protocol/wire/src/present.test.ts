import { expect, it } from 'vitest';
import { present } from './present.js';

it('keeps members with a value, empty ones and zero among them', () => {
  expect(Object.keys(present({ a: undefined, b: null, c: '', d: 0, e: false, f: 'x' }))).toEqual([
    'c',
    'd',
    'e',
    'f',
  ]);
});
