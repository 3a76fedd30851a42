import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  COMPLETION_SHELLS,
  type CompletedCommand,
  type CompletionShell,
  completionScript,
} from './completion.js';

type Option = CompletedCommand['options'][number];
const option = (long: string, rest: Partial<Option> = {}): Option => ({
  ...{ long, hidden: false, description: `it’s "${long}". More`, required: false, optional: false, ...rest },
});
const command = (name: string, rest: Partial<CompletedCommand> = {}): CompletedCommand => ({
  ...{ name: () => name, description: () => `Does ${name}; it's all.`, commands: [], options: [] },
  ...{ registeredArguments: [], ...rest },
});
const PROGRAM = command('some-tool', {
  commands: [
    command('agents', {
      commands: [
        command('list'),
        command('show', { options: [option('--as', { required: true, argChoices: ['a', 'b'] })] }),
      ],
    }),
    command('serve', {
      options: [option('--config', { required: true }), option('--secret', { hidden: true })],
    }),
    command('inner', { _hidden: true }),
    command('trigger', { registeredArguments: [{ argChoices: ['refund', 'review'] }] }),
  ],
});

/** Scripts by which a shell prints what its completion offers after words, the last of which is begun, one a line. */
const OFFERS: Readonly<Record<CompletionShell, (words: readonly string[]) => readonly string[]>> = {
  bash: (words) => [
    '--norc',
    '-euc',
    `${completionScript('bash', PROGRAM)}
COMP_WORDS=(some-tool ${words.map(quoted).join(' ')}); COMP_CWORD=${words.length}
_some_tool; printf '%s\\n' "\${COMPREPLY[@]}"`,
  ],
  // What zsh would show and filter by the word that is begun is printed.
  zsh: (words) => [
    '-fc',
    `compdef() { }
${completionScript('zsh', PROGRAM)}
_describe() { print -rl -- "\${(@)\${(@P)2}%%:*}" }
_files() { }
words=(some-tool ${words.map(quoted).join(' ')}); CURRENT=\${#words}; _some_tool`,
  ],
  fish: (words) => [
    '--no-config',
    '-c',
    `${completionScript('fish', PROGRAM)}
complete -C ${quoted(`some-tool ${words.join(' ')}`)}`,
  ],
};

function quoted(word: string): string {
  return `'${word}'`;
}

function offered(shell: CompletionShell, words: readonly string[]): string[] {
  const { stdout, stderr, status } = spawnSync(shell, OFFERS[shell](words), {
    encoding: 'utf8',
    // Not the files of a person, and none that complete as file names.
    env: { ...process.env, HOME: EMPTY, XDG_CONFIG_HOME: EMPTY, XDG_DATA_HOME: EMPTY },
    cwd: mkdtempSync(join(EMPTY, 'cwd-')),
  });
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  const begun = words.at(-1) ?? '';
  const lines = stdout.split('\n').map((line) => line.split('\t')[0] ?? '');
  return lines.filter((line) => line !== '' && line.startsWith(begun)).sort();
}

const EMPTY = mkdtempSync(join(tmpdir(), 'tillbridge-completion-'));
afterAll(() => rmSync(EMPTY, { recursive: true }));

describe.each(COMPLETION_SHELLS)('%s', (shell) => {
  const isThere = spawnSync(shell, ['-c', 'true']).error === undefined;
  if (!isThere) console.log(`skipped: completion in ${shell}, which is not installed`);

  it.skipIf(!isThere)('offers commands, then those below, their options and the values of these', () => {
    expect(offered(shell, ['s'])).toEqual(['serve']);
    expect(offered(shell, ['agents', 'l'])).toEqual(['list']);
    expect(offered(shell, ['agents', 'show', '--'])).toEqual(['--as', '--help']);
    expect(offered(shell, ['agents', 'show', '--as', ''])).toEqual(['a', 'b']);
    expect(offered(shell, ['trigger', 're'])).toEqual(['refund', 'review']);
  });

  it.skipIf(!isThere)('offers files after an option that takes a file, and nothing hidden', () => {
    expect(offered(shell, ['serve', '--config', ''])).toEqual([]);
    expect(offered(shell, ['serve', '--s'])).toEqual([]);
    expect(offered(shell, ['inner'])).toEqual([]);
  });
});

it('no bracket is open where a text was cut', () => {
  const cut = command('cut', { description: () => 'the token (default: that of the home)' });
  expect(completionScript('zsh', command('some-tool', { commands: [cut] }))).toContain("'cut:the token'");
});

it.each(COMPLETION_SHELLS)('%s gets every command, and quotes that are closed', (shell) => {
  const script = completionScript(shell, PROGRAM);
  for (const word of ['agents', 'list', 'serve', 'trigger', 'refund']) expect(script).toContain(word);
  expect(script).not.toContain('secret');
  const read = spawnSync(shell, ['-n', '-c', script], { encoding: 'utf8' });
  // A machine without the shell shows the words alone.
  if (read.error === undefined) expect(read).toMatchObject({ status: 0, stderr: '' });
});
