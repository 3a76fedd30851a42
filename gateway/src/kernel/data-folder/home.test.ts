import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '@tillbridge/platform/config/problems.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { gatewayFiles } from './gateway-files.js';
import { prepareHome } from './home.js';

/** A user who owns nothing here: the superuser may write everywhere. */
const UNPRIVILEGED_UID = 65_534;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gateway-home-'));
  chmodSync(folder, 0o755);
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs as a user who is no superuser. */
function asUnprivilegedUser(run: () => void): void {
  const isSuperuser = process.geteuid?.() === 0;
  if (isSuperuser) process.seteuid?.(UNPRIVILEGED_UID);
  try {
    run();
  } finally {
    if (isSuperuser) process.seteuid?.(0);
  }
}

const refused = (home: string, reason: RegExp) => {
  expect(() => prepareHome(home)).toThrow(ConfigError);
  expect(() => prepareHome(home)).toThrow(reason);
  expect(() => prepareHome(home)).toThrow(/choose another one with GATEWAY_HOME/);
};

describe('the home of the gateway', () => {
  it('is made readable only by its owner, and stays as it is the next time', () => {
    const home = join(folder, 'deep', 'home');
    prepareHome(home);
    prepareHome(home);
    expect(statSync(home).mode & 0o777).toBe(0o700);
  });

  it('is refused where a file is in the way', () => {
    writeFileSync(join(folder, 'file'), '');
    refused(join(folder, 'file'), /cannot be used \(EEXIST\)/);
    refused(join(folder, 'file', 'home'), /cannot be used \(ENOTDIR/);
  });

  it('is refused where the process may not make it', () => {
    asUnprivilegedUser(() => refused(join(folder, 'home'), /cannot be used \(EACCES\)/));
  });

  it('is refused where a database in it cannot be written, and the file is named', () => {
    const { database } = gatewayFiles(folder);
    writeFileSync(database, '');
    chmodSync(folder, 0o777);
    chmodSync(database, 0o444);
    asUnprivilegedUser(() => refused(folder, /cannot be used \(EACCES: .*gateway\.db\)/));
  });

  const { platform } = process;
  if (platform !== 'linux') console.log(`skipped: a home below /proc, because ${platform} has none`);
  it.runIf(platform === 'linux')('is refused below a place where nothing can be made, at once', () => {
    refused('/proc/nope/home', /cannot be used \(ENOENT/);
  });
});
