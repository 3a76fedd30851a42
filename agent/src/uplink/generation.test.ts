import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { currentGeneration, GENERATION_FILE } from './generation.js';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'agent-generation-'));
});
afterEach(() => rmSync(home, { recursive: true }));

it('begins at 1 and stays while the journal stays', () => {
  expect(currentGeneration(home, true)).toBe(1);
  expect(currentGeneration(home, false)).toBe(1);
  expect(currentGeneration(home, false)).toBe(1);
});

it('grows when the journal is gone', () => {
  currentGeneration(home, true);
  expect(currentGeneration(home, true)).toBe(2);
  expect(currentGeneration(home, false)).toBe(2);
});

it('counts a journal without a file as the first', () => {
  expect(currentGeneration(home, false)).toBe(1);
});

it.each(['', '0', '-1', 'two', '1.5'])('refuses a file that holds "%s"', (text) => {
  writeFileSync(join(home, GENERATION_FILE), text);
  expect(() => currentGeneration(home, false)).toThrow(/whole number from 1/);
});
