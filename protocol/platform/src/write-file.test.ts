import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFile, replaceFile, replaceFileAsync } from './write-file.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'write-file-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Both ways to replace a file. */
const WAYS = [
  ['at once', async (path: string, content: string | Uint8Array) => replaceFile(path, content)],
  ['asynchronously', replaceFileAsync],
] as const;

test.each(WAYS)(
  'replaces a file as a whole, for its owner alone, and leaves no other file, %s',
  async (_, replace) => {
    const path = join(folder, 'file');
    writeFileSync(path, 'a longer text than the next one', { mode: 0o644 });
    await replace(path, 'short');
    expect(readFileSync(path, 'utf8')).toBe('short');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    await replace(path, Uint8Array.of(1, 2));
    expect([...readFileSync(path)]).toEqual([1, 2]);
    expect(readdirSync(folder)).toEqual(['file']);
  },
);

test.each(WAYS)(
  'overwrites what a killed process of the same number left half written, %s',
  async (_, replace) => {
    writeFileSync(join(folder, `.file.${process.pid}.new`), 'half of a');
    await replace(join(folder, 'file'), 'whole');
    expect(readdirSync(folder)).toEqual(['file']);
  },
);

test.each(WAYS)('leaves nothing behind where a file cannot be replaced, %s', async (_, replace) => {
  mkdirSync(join(folder, 'taken'));
  await expect(replace(join(folder, 'taken'), 'text')).rejects.toThrow(/EISDIR|EEXIST|ENOTEMPTY|EPERM/);
  await expect(replace(join(folder, 'nowhere', 'file'), 'text')).rejects.toThrow(/ENOENT/);
  expect(readdirSync(folder)).toEqual(['taken']);
});

test('creates a file once', () => {
  const path = join(folder, 'file');
  createFile(path, 'first');
  expect(() => createFile(path, 'second')).toThrow(/EEXIST/);
  expect(readFileSync(path, 'utf8')).toBe('first');
  expect(statSync(path).mode & 0o777).toBe(0o600);
});
