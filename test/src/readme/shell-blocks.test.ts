import { expect, it } from 'vitest';
import { scriptOf, shellBlocks } from './shell-blocks.js';

const PAGE = [
  'Text',
  '```sh',
  'npm start      # stays up',
  'one=1',
  '```',
  '```text',
  'rm -rf PLACE',
  '```',
  '1. a list',
  '   ```sh',
  '   echo "$one"',
  '   ```',
].join('\n');

it('finds the blocks of commands, and what is only shown stays out', () => {
  expect(shellBlocks(PAGE)).toEqual([
    { line: 3, commands: 'npm start      # stays up\none=1' },
    { line: 11, commands: '   echo "$one"' },
  ]);
});

it('makes one script of a page, without what is tried elsewhere', () => {
  expect(scriptOf(shellBlocks(PAGE), new Set(['npm start']))).toBe(
    ['set -e', "echo '-- line 3' >&2", 'one=1', "echo '-- line 11' >&2", '   echo "$one"', ''].join('\n'),
  );
});

it.each([
  ['another shell’s name', '```bash\nls\n```', /line 1: write sh/],
  ['a block without an end', '```sh\nls', /line 1 has no end/],
])('refuses %s', (_what, page, named) => {
  expect(() => shellBlocks(page)).toThrow(named);
});
