import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { packageFolder } from './package-folder.js';

/** What every program is launched by: plain JavaScript, which runs unbuilt and on an older Node.js. */
const LAUNCH = new URL('bin/launch.js', packageFolder(import.meta.url)).href;

it('a program on a Node.js that is too old states which one it needs', async () => {
  const { nodeProblem, OLDEST_NODE } = (await import(LAUNCH)) as {
    OLDEST_NODE: string;
    nodeProblem(program: string, version: string): string | undefined;
  };
  const manifest = readFileSync(new URL('package.json', packageFolder(import.meta.url)), 'utf8');
  expect((JSON.parse(manifest) as { engines: object }).engines).toEqual({ node: `>=${OLDEST_NODE}` });
  for (const good of ['20.19.0', '20.20.2', '21.0.0', '24.1.0'])
    expect(nodeProblem('tillbridge-agent', good), good).toBeUndefined();
  for (const old of ['18.20.8', '20.18.3'])
    expect(nodeProblem('tillbridge-agent', old)).toContain(
      `needs Node.js 20.19 or later, and this is ${old}: install`,
    );
});
