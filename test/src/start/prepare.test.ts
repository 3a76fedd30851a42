import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ROOT } from '../stack/layout.js';

/** A clone in which nothing is installed, and a PATH with these programs alone. */
let clone: string;
beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), 'tillbridge-clone-'));
  for (const file of ['package.json', 'package-lock.json', join('test', 'start')])
    cpSync(join(ROOT, file), join(clone, file), { recursive: true });
});
afterEach(() => rmSync(clone, { recursive: true }));

/** What `npm start` is in the clone, for `spawn`. */
function startOf(programs: readonly string[], npm: string) {
  const bin = join(clone, 'bin');
  mkdirSync(bin);
  for (const program of programs) symlinkSync('/bin/true', join(bin, program));
  const script = join(clone, 'npm.mjs');
  writeFileSync(script, npm);
  const { npm_config_python: _python, PYTHON: _other, CXX: _compiler, MAKE: _make, ...env } = process.env;
  const args = [join(clone, 'test', 'start', 'run.mjs'), 'start'];
  return { args, env: { ...env, PATH: bin, npm_execpath: script } };
}

function start(programs: readonly string[], npm: string) {
  const { args, env } = startOf(programs, npm);
  return spawnSync(process.execPath, args, { env, encoding: 'utf8' });
}

/** The errors of a command until they contain a text. */
function errorsOf(child: ChildProcessByStdio<null, null, Readable>, until: string): Promise<string> {
  let text = '';
  return new Promise((resolve) => {
    child.stderr.on('data', (chunk) => {
      text += chunk;
      if (text.includes(until)) resolve(text);
    });
  });
}

const NEVER = "import { writeFileSync } from 'node:fs'; writeFileSync('called', '');";

describe.skipIf(process.platform === 'win32')('npm start on a fresh clone', () => {
  it.each([
    [['make', 'g++'], 'Python 3 is missing'],
    [['python3', 'make'], 'a C++ compiler is missing'],
    [[], 'Python 3 and make and a C++ compiler are missing'],
  ])('with %j alone names in one line what is missing, before any install', (programs, text) => {
    const { status, stderr, stdout } = start(programs, NEVER);
    expect(stderr).toContain(text);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stdout).toBe('');
    expect(status).toBe(1);
  });

  it('reports what it installs and how far it is while npm works', () => {
    // Stands for an npm that unpacks one package, works on for longer than a line takes, and fails.
    const npm = `
      import { mkdirSync, writeFileSync } from 'node:fs';
      mkdirSync('node_modules/fastify', { recursive: true });
      writeFileSync('node_modules/fastify/package.json', '{}');
      setTimeout(() => process.exit(7), 3_000);
    `;
    const { status, stderr } = start(['python3', 'make', 'c++'], npm);
    const [, total] = /^Installing (\d+) packages from the lock file/m.exec(stderr) ?? [];
    expect(Number(total)).toBeGreaterThan(100);
    expect(stderr).toContain(`  1 of ${total} packages unpacked (2 s)\n`);
    expect(stderr).toContain('npm ci ended with 7: nothing was started.');
    expect(status).toBe(1);
  });

  it('waits for another command that prepares the same checkout, and works after it was killed', async () => {
    // Stands for an npm that never ends, until the command that started it is gone: one that was killed cannot end it.
    const endless =
      'const { ppid } = process; setInterval(() => { if (process.ppid !== ppid) process.exit(); }, 100);';
    const { args, env } = startOf(['python3', 'make', 'c++'], endless);
    const begin = () => spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
    const first = begin();
    const installing = 'Installing';
    expect(await errorsOf(first, installing)).toContain(installing);
    const second = begin();
    const waiting = 'Another command installs or builds in this checkout';
    expect(await errorsOf(second, waiting)).not.toContain(installing);
    // A person gives up.
    second.kill('SIGINT');
    expect(await once(second, 'exit')).toEqual([0, null]);
    const third = begin();
    expect(await errorsOf(third, waiting)).not.toContain(installing);
    first.kill('SIGKILL');
    expect(await errorsOf(third, installing)).toContain(installing);
    third.kill('SIGTERM');
    await once(third, 'exit');
  });

  it('takes an install that somebody made by hand, and no other one', () => {
    const lock = JSON.parse(readFileSync(join(clone, 'package-lock.json'), 'utf8'));
    mkdirSync(join(clone, 'node_modules'));
    const list = join(clone, 'node_modules', '.package-lock.json');
    writeFileSync(list, JSON.stringify(lock));
    const { stderr } = start(['python3', 'make', 'c++'], NEVER);
    expect(stderr).not.toContain('Installing');
    rmSync(join(clone, 'node_modules', '.tillbridge-installed'));
    rmSync(join(clone, 'bin'), { recursive: true });
    lock.packages['node_modules/fastify'].integrity = 'sha512-another';
    writeFileSync(list, JSON.stringify(lock));
    expect(start(['python3', 'make', 'c++'], NEVER).stderr).toContain('Installing');
  });
});
