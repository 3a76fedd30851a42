import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeFolder } from './make-folder.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'make-folder-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('makeFolder', () => {
  it('makes every folder on the way for its owner alone, and again changes nothing', () => {
    const path = join(folder, 'one', 'two', 'three');
    makeFolder(path);
    makeFolder(path);
    for (const made of [path, join(folder, 'one')]) expect(statSync(made).mode & 0o777).toBe(0o700);
  });

  it('names what is in the way', () => {
    writeFileSync(join(folder, 'file'), '');
    expect(() => makeFolder(join(folder, 'file'))).toThrow(/EEXIST/);
    expect(() => makeFolder(join(folder, 'file', 'below'))).toThrow(/ENOTDIR/);
  });

  it.skipIf(process.platform !== 'linux')('ends where the system knows no such place, at any depth', () => {
    expect(() => makeFolder('/proc/nope/home')).toThrow(/ENOENT/);
  });
});
