import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

function start(programs: readonly string[], npm: string) {
  const bin = join(clone, 'bin');
  mkdirSync(bin);
  for (const program of programs) symlinkSync('/bin/true', join(bin, program));
  const script = join(clone, 'npm.mjs');
  writeFileSync(script, npm);
  const { npm_config_python: _python, PYTHON: _other, CXX: _compiler, MAKE: _make, ...env } = process.env;
  return spawnSync(process.execPath, [join(clone, 'test', 'start', 'run.mjs'), 'start'], {
    env: { ...env, PATH: bin, npm_execpath: script },
    encoding: 'utf8',
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
});
