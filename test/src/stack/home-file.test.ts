import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type DevFile, writeDevFile } from './dev-file.js';
import { ensureAgentIdentity, makeHome } from './layout.js';
import { StartFailure } from './part-process.js';

/** A file on a disk without room (Linux). */
const FULL = '/dev/full';
const isLinux = process.platform === 'linux';
if (!isLinux) console.log('skipped: a full disk, because only Linux has /dev/full');

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'home-file-'));
});
afterEach(() => rmSync(home, { recursive: true }));

it('writes dev.json for its owner alone, and leaves nothing beside it', () => {
  writeDevFile(home, {} as DevFile);
  expect(readdirSync(home)).toEqual(['dev.json']);
  expect(readFileSync(join(home, 'dev.json'), 'utf8')).toBe('{}\n');
  expect(statSync(join(home, 'dev.json')).mode & 0o777).toBe(0o600);
});

it.runIf(isLinux)('says that the disk is full, and leaves no empty file', () => {
  symlinkSync(FULL, join(home, `dev.json.${process.pid}.new`));
  const write = () => writeDevFile(home, {} as DevFile);
  expect(write).toThrow(StartFailure);
  symlinkSync(FULL, join(home, `dev.json.${process.pid}.new`));
  expect(write).toThrow(/dev\.json cannot be written: the disk is full; .*TILLBRIDGE_HOME$/);
  expect(readdirSync(home)).toEqual([]);
});

it.runIf(isLinux)('says it of the agent’s files, too', () => {
  makeHome(home);
  symlinkSync(FULL, join(home, 'agent', `agent-key.pub.pem.${process.pid}.new`));
  expect(() => ensureAgentIdentity(home)).toThrow(/the disk is full/);
});
