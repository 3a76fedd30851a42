import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { GENERATION_FILE, readGeneration, writeGeneration } from './generation.js';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'agent-generation-'));
});
afterEach(() => rmSync(home, { recursive: true }));

it('is nothing in a new home, and what was written afterwards', () => {
  expect(readGeneration(home)).toBeUndefined();
  writeGeneration(home, 1);
  expect(readGeneration(home)).toBe(1);
  writeGeneration(home, 12);
  expect(readGeneration(home)).toBe(12);
});

it('takes a count of 15 digits, whatever blanks stand around it', () => {
  writeFileSync(join(home, GENERATION_FILE), ` ${'9'.repeat(15)}\n`);
  expect(readGeneration(home)).toBe(999_999_999_999_999);
});

it.each(['', '0', '-1', 'two', '1.5', '01', '1 2', '1x', 'x1', '9'.repeat(16)])(
  'refuses a file that holds "%s"',
  (text) => {
    writeFileSync(join(home, GENERATION_FILE), text);
    expect(() => readGeneration(home)).toThrow(/whole number from 1/);
  },
);
