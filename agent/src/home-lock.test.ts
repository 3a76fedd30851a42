import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { HomeLockedError, lockHome, lockPath } from './home-lock.js';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'agent-lock-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

it('gives a home to one, and to the next when it is free', async () => {
  const first = await lockHome(home);
  await expect(lockHome(home)).rejects.toThrow(HomeLockedError);
  await first.release();
  const second = await lockHome(home);
  await second.release();
});

it('knows a home by any of its paths, and homes apart', async () => {
  const link = `${home}-link`;
  symlinkSync(home, link);
  const other = mkdtempSync(join(tmpdir(), 'agent-lock-'));
  const locks = [await lockHome(home), await lockHome(other)];
  await expect(lockHome(link)).rejects.toThrow(/in use by another agent/);
  for (const lock of locks) await lock.release();
  rmSync(link);
  rmSync(other, { recursive: true });
});

it('is free again when its holder was killed', async () => {
  const script = `
    import { createServer } from 'node:net';
    const path = Buffer.from(process.argv[1], 'hex').toString();
    createServer().listen(path, () => console.log('held'));`;
  const path = Buffer.from(lockPath(home)).toString('hex');
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, path]);
  await once(child.stdout, 'data');
  await expect(lockHome(home)).rejects.toThrow(HomeLockedError);
  child.kill('SIGKILL');
  await once(child, 'exit');
  await (await lockHome(home)).release();
});
