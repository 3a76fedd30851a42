import fs, { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
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
    makeFolder(path, fs);
    makeFolder(path, fs);
    for (const made of [path, join(folder, 'one')]) expect(statSync(made).mode & 0o777).toBe(0o700);
  });

  it('says what is in the way', () => {
    writeFileSync(join(folder, 'file'), '');
    expect(() => makeFolder(join(folder, 'file'), fs)).toThrow(/EEXIST/);
    expect(() => makeFolder(join(folder, 'file', 'below'), fs)).toThrow(/ENOTDIR/);
  });

  it('ends where the system knows no such place, at any depth', () => {
    const nowhere = Object.assign(new Error('ENOENT: no such file or directory'), { code: 'ENOENT' });
    // A folder of /proc: it is there, and nothing can be made in it.
    const like: Parameters<typeof makeFolder>[1] = {
      mkdirSync: (path) => {
        if (path !== '/proc') throw nowhere;
        throw Object.assign(new Error('EEXIST'), { code: 'EEXIST' });
      },
      statSync: () => ({ isDirectory: () => true }),
    };
    expect(() => makeFolder('/proc/nope/home', like)).toThrow(/ENOENT/);
  });
});
