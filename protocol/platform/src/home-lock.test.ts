import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { HomeInUseError, HomeUnusableError, LOCK_FILE, lockHome } from './home-lock.js';

let folder: string;
let home: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'home-lock-'));
  home = join(folder, 'home');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const lock = (path: string) => lockHome({ home: path, program: 'agent', variable: 'AGENT_HOME' });

test('gives a home to one, and to the next when it is free', async () => {
  const first = await lock(home);
  await expect(lock(home)).rejects.toThrow(HomeInUseError);
  await first.release();
  await (await lock(home)).release();
});

test('knows a home by any of its paths, and homes apart', async () => {
  mkdirSync(home);
  const link = join(folder, 'link');
  symlinkSync(home, link);
  const locks = [await lock(home), await lock(join(folder, 'other'))];
  await expect(lock(link)).rejects.toThrow(/in use by another agent: stop it, or set AGENT_HOME/);
  for (const each of locks) await each.release();
});

test('is free again when its holder was killed', async () => {
  await (await lock(home)).release();
  const script = `
    const sqlite3 = require(${JSON.stringify(createRequire(import.meta.url).resolve('sqlite3'))});
    const database = new sqlite3.Database(process.argv[1]);
    database.exec('BEGIN IMMEDIATE', (error) => console.log(error ?? 'held'));
    setInterval(() => undefined, 1_000);`;
  const child = spawn(process.execPath, ['-e', script, join(home, LOCK_FILE)]);
  const [output] = await once(child.stdout, 'data');
  expect(String(output)).toBe('held\n');
  await expect(lock(home)).rejects.toThrow(HomeInUseError);
  child.kill('SIGKILL');
  await once(child, 'exit');
  await (await lock(home)).release();
});

test('refuses a home that cannot be made, with the variable that changes it', async () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  const places = [file, join(file, 'home'), ...(process.platform === 'linux' ? ['/proc/nope/home'] : [])];
  for (const place of places) {
    await expect(lock(place)).rejects.toThrow(HomeUnusableError);
    await expect(lock(place)).rejects.toThrow(/cannot be used \(E[A-Z]+\): set AGENT_HOME/);
  }
});
