import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createLog } from './log.js';
import { openLogFile } from './log-file.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'agent-log-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const PAN = '4761739001010010';

it('writes no card number, wherever it stands', () => {
  const path = join(folder, 'agent.log');
  const log = createLog('test', { level: 'info', target: path });
  log.info({ detail: `card ${PAN}`, nested: { list: [PAN] } }, `read ${PAN}`);
  log
    .child({ reference: PAN })
    .child({ again: PAN })
    .warn(new Error(`cannot read ${PAN}`));
  const text = readFileSync(path, 'utf8');
  expect(text.match(/\n/g)).toHaveLength(2);
  expect(text).toContain('cannot read');
  expect(text).toMatch(/"reference":"476173\*{6}0010","again":"476173/);
  expect(text).not.toContain(PAN);
});

it('keeps its file to its owner', () => {
  const path = join(folder, 'agent.log');
  createLog('test', { level: 'info', target: path }).info('x');
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

it('goes on at stderr when the file cannot be opened', () => {
  writeFileSync(join(folder, 'file'), '');
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const log = createLog('test', { level: 'silent', target: join(folder, 'file', 'agent.log') });
  expect(written.mock.calls.join()).toMatch(/agent\.log: .*(EEXIST|ENOTDIR)/);
  written.mockRestore();
  expect(() => log.info('still alive')).not.toThrow();
});

it('puts a full file aside, and only one', () => {
  const path = join(folder, 'agent.log');
  const file = openLogFile(path, () => {}, 100);
  for (const letter of ['a', 'b', 'c', 'd', 'e']) file.write(`${letter.repeat(39)}\n`);
  expect(readFileSync(path, 'utf8')).toBe(`${'e'.repeat(39)}\n`);
  expect(readFileSync(`${path}.1`, 'utf8')).toBe(`${'c'.repeat(39)}\n${'d'.repeat(39)}\n`);
});

it('counts what an earlier start has written', () => {
  const path = join(folder, 'agent.log');
  openLogFile(path, () => {}, 100).write(`${'a'.repeat(79)}\n`);
  openLogFile(path, () => {}, 100).write(`${'b'.repeat(79)}\n`);
  expect(readFileSync(path, 'utf8')).toBe(`${'b'.repeat(79)}\n`);
});

it.each(['stdout', 'stderr'] as const)(
  'goes to %s where the configuration says so, and makes no file',
  (target) => {
    const built = (file: string) =>
      JSON.stringify(new URL(`../../../dist/platform/${file}`, import.meta.url).href);
    const program = `
    import { logConfig } from ${built('config/program-settings.js')};
    import { createLog } from ${built('log/log.js')};
    createLog('test', logConfig({ level: 'info', target: '${target}' }, 'log')).info('here');
  `;
    const ended = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(ended[target]).toContain('"msg":"here"');
    expect(readdirSync(folder)).toEqual([]);
  },
);
