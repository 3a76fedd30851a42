import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadLibc } from '../ports/libc.js';
import { claimHome, HomeInUseError } from './home-lock.js';

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
