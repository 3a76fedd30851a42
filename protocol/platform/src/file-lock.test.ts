import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { withFileLock } from './file-lock.js';
import { systemCode } from './system-code.js';

/** The built file; `npm test` builds first. */
const BUILT = new URL('../dist/file-lock.js', import.meta.url).href;

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tillbridge-file-lock-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function textOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return '';
    throw error;
  }
}

describe('the lock of a file', () => {
  const lock = () => join(home, 'x.lock');

  test('of a process that is gone is taken over', () => {
    // The highest process id that any system gives is below this one.
    symlinkSync(`4194305 ${hostname()}`, lock());
    expect(withFileLock(lock(), () => 7)).toBe(7);
    expect(readdirSync(home)).toEqual([]);
  });

  test('names its holder from the first moment on: a kill leaves none behind without a holder', async () => {
    const path = join(home, 'locker.mjs');
    writeFileSync(
      path,
      `import { withFileLock } from ${JSON.stringify(BUILT)};
      process.stdout.write('.');
      for (;;) withFileLock(${JSON.stringify(lock())}, () => undefined);`,
    );
    const locker = spawn(process.execPath, [path]);
    const ended = once(locker, 'exit');
    const seen = new Set<string>();
    try {
      await once(locker.stdout, 'data');
      for (let look = 0; look < 20_000; look += 1) seen.add(textOf(lock()));
    } finally {
      locker.kill('SIGKILL');
      await ended;
    }
    expect([...seen].sort()).toEqual(['', `${locker.pid} ${hostname()}`]);
    expect(withFileLock(lock(), () => 7)).toBe(7);
  });

  test('is released when the work fails', () => {
    const fail = () =>
      withFileLock(lock(), () => {
        throw new Error('broken off');
      });
    expect(fail).toThrow('broken off');
    expect(readdirSync(home)).toEqual([]);
  });
});
