import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fileSlot, StateError } from './state-slot.js';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'slot-'));
});
afterEach(() => rmSync(home, { recursive: true }));

const asNumber = (json: unknown): number => {
  if (typeof json !== 'number') throw new TypeError('expected a number');
  return json;
};

test('a value is read back by a new slot, in a private file, with no other file left in the folder', () => {
  const path = join(home, 'cards', 'visa.json');
  expect(fileSlot(path, asNumber).read()).toBeUndefined();
  fileSlot(path, asNumber).write(41);
  fileSlot(path, asNumber).write(42);
  expect(fileSlot(path, asNumber).read()).toBe(42);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(home, 'cards'))).toEqual(['visa.json']);
});

test('a file of another form is refused by name', () => {
  const path = join(home, 'visa.json');
  writeFileSync(path, '{"torn":');
  expect(() => fileSlot(path, asNumber).read()).toThrow(StateError);
  writeFileSync(path, '"text"');
  expect(() => fileSlot(path, asNumber).read()).toThrow(path);
});

test('a place that cannot be written is a StateError', () => {
  writeFileSync(join(home, 'file'), '');
  expect(() => fileSlot(join(home, 'file', 'visa.json'), asNumber).write(1)).toThrow(StateError);
});
