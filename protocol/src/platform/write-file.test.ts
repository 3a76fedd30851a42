import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFile, replaceFile } from './write-file.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'write-file-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('replaces a file as a whole, for its owner alone, and leaves nothing beside it', () => {
  const path = join(folder, 'file');
  writeFileSync(path, 'a longer text than the next one', { mode: 0o644 });
  replaceFile(path, 'short');
  expect(readFileSync(path, 'utf8')).toBe('short');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  replaceFile(path, Uint8Array.of(1, 2));
  expect([...readFileSync(path)]).toEqual([1, 2]);
  expect(readdirSync(folder)).toEqual(['file']);
});

test('overwrites what a killed process of the same number left half written', () => {
  writeFileSync(join(folder, `.file.${process.pid}.new`), 'half of a');
  replaceFile(join(folder, 'file'), 'whole');
  expect(readdirSync(folder)).toEqual(['file']);
});

test('leaves nothing behind where a file cannot be replaced', () => {
  mkdirSync(join(folder, 'taken'));
  expect(() => replaceFile(join(folder, 'taken'), 'text')).toThrow(/EISDIR|EEXIST|ENOTEMPTY|EPERM/);
  expect(() => replaceFile(join(folder, 'nowhere', 'file'), 'text')).toThrow(/ENOENT/);
  expect(readdirSync(folder)).toEqual(['taken']);
});

test('creates a file once', () => {
  const path = join(folder, 'file');
  createFile(path, 'first');
  expect(() => createFile(path, 'second')).toThrow(/EEXIST/);
  expect(readFileSync(path, 'utf8')).toBe('first');
  expect(statSync(path).mode & 0o777).toBe(0o600);
});
