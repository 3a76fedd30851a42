import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { currentBundle } from '../packages/program-contents.js';
import { PROGRAMS, ROOT } from '../stack/layout.js';

const LOADER = join(ROOT, 'protocol', 'platform', 'bin', 'load-program.js');
const STARTED = "process.emit('tillbridge:started');";
const LONG_AGO = new Date(0);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'load-program-'));
  copyFileSync(LOADER, join(folder, 'main.js'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  write('part.cjs', "exports.word = () => 'one';");
  write('program.cjs', `console.log(require('./part.cjs').word());\n${STARTED}`);
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (name: string, text: string) => writeFileSync(join(folder, name), text);

function run(env: NodeJS.ProcessEnv = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, 'main.js')], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  return { status, out: stdout.trim(), errors: stderr };
}

/** Files of kept code. */
function kept(): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /^code\/.*\.cjs/.test(name))
    .map((name) => join(folder, name))
    .sort();
}

const RUNS = { status: 0, out: 'one', errors: '' };

describe('the loader of a program', () => {
  it('keeps the code of a start that is over, and takes it at the next one', () => {
    expect(run()).toEqual(RUNS);
    expect(kept().map((file) => file.replace(/^.*\//, ''))).toEqual(['part.cjs', 'program.cjs']);
    for (const file of kept()) utimesSync(file, LONG_AGO, LONG_AGO);
    expect(run()).toEqual(RUNS);
    // What is taken is not kept once more.
    for (const file of kept()) expect(statSync(file).mtime).toEqual(LONG_AGO);
  });

  it('keeps none of a command that ends by itself', () => {
    write('program.cjs', "console.log('one');");
    expect(run()).toEqual(RUNS);
    expect(kept()).toEqual([]);
  });

  it('keeps that of a command that ends by itself where a package is installed', () => {
    write('program.cjs', "console.log('one'); process.exit(0);");
    expect(run({ TILLBRIDGE_KEEP_CODE: '1' })).toEqual(RUNS);
    expect(kept()).toHaveLength(1);
  });

  it('runs the source where it has changed, also to one of the same length', () => {
    run();
    write('part.cjs', "exports.word = () => 'two';");
    expect(run()).toEqual({ ...RUNS, out: 'two' });
    expect(run()).toEqual({ ...RUNS, out: 'two' });
  });

  it.each([
    ['is empty', (file: string) => truncateSync(file, 0)],
    ['was cut off', (file: string) => truncateSync(file, statSync(file).size - 8)],
    [
      'has other bytes',
      (file: string) => {
        const bytes = readFileSync(file);
        writeFileSync(file, bytes.fill(0xff, bytes.length / 2));
      },
    ],
    [
      'is no file',
      (file: string) => {
        rmSync(file);
        mkdirSync(file);
      },
    ],
  ] as const)('runs the source where what was kept %s', (_how, spoil) => {
    run();
    for (const file of kept()) spoil(file);
    expect(run()).toEqual(RUNS);
  });

  it.skipIf(process.getuid?.() === 0)('starts where its folder cannot be written', () => {
    chmodSync(folder, 0o500);
    const ran = run();
    chmodSync(folder, 0o700);
    expect(ran).toEqual(RUNS);
    expect(kept()).toEqual([]);
  });

  it('names file and line of the bundle in a stack', () => {
    write('part.cjs', "\nexports.word = () => { throw new Error('no'); };");
    run();
    const { status, errors } = run();
    expect(status).not.toBe(0);
    expect(errors).toContain(`${join(folder, 'part.cjs')}:2:`);
  });

  it('loads what is outside of the bundle', () => {
    write('program.cjs', "console.log(typeof require('node:os').EOL);");
    expect(run()).toEqual({ ...RUNS, out: 'string' });
  });

  // The script of a bundle has no import(): its loader would have to make it.
  it.each(Object.entries(PROGRAMS))('finds no import() in the bundle of the %s', (_name, program) => {
    const folder = dirname(program);
    const files = [...currentBundle(relative(ROOT, join(folder, '..', '..')))].filter((name) =>
      name.endsWith('.cjs'),
    );
    expect(files).toContain('program.cjs');
    for (const name of files) {
      const lines = readFileSync(join(folder, name), 'utf8').split('\n');
      const found = lines.filter((line) => !/^\s*(\*|\/\/)/.test(line) && /(^|[^\w.#$*])import\(/.test(line));
      expect(found, name).toEqual([]);
    }
  });
});
