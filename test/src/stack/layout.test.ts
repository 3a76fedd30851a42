import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UsageError } from '../command-line/command-line.js';
import { makeHome } from './layout.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'layout-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('makeHome', () => {
  it('makes every folder on the way, for its owner alone, and again changes nothing', () => {
    const home = join(folder, 'deep', 'home');
    makeHome(home);
    makeHome(home);
    for (const name of ['', 'gateway', 'agent', 'simulator']) {
      expect(statSync(join(home, name)).mode & 0o777).toBe(0o700);
    }
  });

  it('names the place and the variable when a file is in the way', () => {
    writeFileSync(join(folder, 'file'), '');
    const home = join(folder, 'file', 'home');
    expect(() => makeHome(home)).toThrow(UsageError);
    expect(() => makeHome(home)).toThrow(/cannot be used as a home \(ENOTDIR\).*TILLBRIDGE_HOME/);
  });

  const { platform } = process;
  if (platform !== 'linux') console.log(`skipped: a home below /proc, because ${platform} has none`);
  it.runIf(platform === 'linux')('ends below a place where nothing can be made (Linux has /proc)', () => {
    expect(() => makeHome('/proc/nope/home')).toThrow(UsageError);
  });
});
