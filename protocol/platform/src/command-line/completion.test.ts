import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { COMPLETION_SHELLS, type CompletedCommand, completionScript } from './completion.js';

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
    command('trigger', { registeredArguments: [{ argChoices: ['refund', 'review'] }] }),
  ],
});

/** What bash offers after these words, the last of which is begun. */
function offered(...words: readonly string[]): string[] {
  const script = `${completionScript('bash', PROGRAM)}
COMP_WORDS=(some-tool ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}
_some_tool; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr, status } = spawnSync('bash', ['--norc', '-euc', script], { encoding: 'utf8' });
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  return stdout.split('\n').filter((line) => line !== '');
}

it('bash offers commands, then those below, their options and the values of these', () => {
  expect(offered('')).toEqual(['agents', 'serve', 'trigger', '--help']);
  expect(offered('s')).toEqual(['serve']);
  expect(offered('agents', '')).toEqual(['list', 'show', '--help']);
  expect(offered('agents', 'show', '--')).toEqual(['--as', '--help']);
  expect(offered('agents', 'show', '--as', '')).toEqual(['a', 'b']);
  expect(offered('trigger', 're')).toEqual(['refund', 'review']);
});

it('bash offers files after an option that takes a file, and nothing hidden', () => {
  expect(offered('serve', '--config', '')).toEqual([]);
  expect(offered('serve', '--s')).toEqual([]);
});

it.each(COMPLETION_SHELLS)('%s gets every command, and quotes that are closed', (shell) => {
  const script = completionScript(shell, PROGRAM);
  for (const word of ['agents', 'list', 'serve', 'trigger', 'refund']) expect(script).toContain(word);
  expect(script).not.toContain('secret');
  const read = spawnSync(shell, ['-n', '-c', script], { encoding: 'utf8' });
  // A machine without the shell shows the words alone.
  if (read.error === undefined) expect(read).toMatchObject({ status: 0, stderr: '' });
});
