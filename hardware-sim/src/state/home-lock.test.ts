import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadLibc } from '../ports/libc.js';
import { claimHome, HomeInUseError, HomeUnusableError } from './home-lock.js';

test.skipIf(process.platform === 'win32')(
  'a home has one holder at a time, and is free again after it',
  () => {
    const home = mkdtempSync(join(tmpdir(), 'home-'));
    const { tryLock } = loadLibc();
    const giveBack = claimHome(home, tryLock);
    expect(() => claimHome(home, tryLock)).toThrow(HomeInUseError);
    giveBack();
    claimHome(home, tryLock)();
    closeSync(openSync(join(home, 'lock'), 'r'));
    rmSync(home, { recursive: true });
  },
);

test('a home that cannot be made is refused at once, with the variable that changes it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'home-'));
  const file = join(folder, 'file');
  writeFileSync(file, '');
  const places = [file, join(file, 'home'), ...(process.platform === 'linux' ? ['/proc/nope/home'] : [])];
  for (const home of places) {
    expect(() => claimHome(home, () => true)).toThrow(HomeUnusableError);
    expect(() => claimHome(home, () => true)).toThrow(/cannot be used \(E[A-Z]+\): set SIM_HOME/);
  }
  rmSync(folder, { recursive: true });
});
