import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type DevFile, writeDevFile } from './dev-file.js';
import { unwritable, writeHomeFile } from './home-file.js';
import { StartFailure } from './start-failure.js';

/** A file on a disk without room (Linux). */
const FULL = '/dev/full';
const isLinux = process.platform === 'linux';
if (!isLinux) console.log('skipped: a full disk, because only Linux has /dev/full');

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'home-file-'));
});
afterEach(() => rmSync(home, { recursive: true }));

it('writes dev.json for its owner alone, and leaves no other file', () => {
  writeDevFile(home, {} as DevFile);
  expect(readdirSync(home)).toEqual(['dev.json']);
  expect(readFileSync(join(home, 'dev.json'), 'utf8')).toBe('{}\n');
  expect(statSync(join(home, 'dev.json')).mode & 0o777).toBe(0o600);
});

it.runIf(isLinux)('reports that the disk is full', () => {
  let fault: unknown;
  try {
    writeFileSync(FULL, 'x');
  } catch (error) {
    fault = error;
  }
  const failure = unwritable('dev.json', fault);
  expect(failure).toBeInstanceOf(StartFailure);
  expect(String(failure)).toMatch(/dev\.json cannot be written: the disk is full; .*TILLBRIDGE_HOME$/);
});

it('names the file that cannot be written, and leaves no other file', () => {
  mkdirSync(join(home, 'dev.json'));
  expect(() => writeDevFile(home, {} as DevFile)).toThrow(StartFailure);
  expect(readdirSync(home)).toEqual(['dev.json']);
});

it('names it for the parts’ files, too', () => {
  mkdirSync(join(home, 'folder'));
  expect(() => writeHomeFile(join(home, 'folder'), 'x')).toThrow(/folder cannot be written/);
});
