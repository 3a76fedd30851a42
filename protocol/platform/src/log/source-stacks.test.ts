import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sourceStack } from './source-stacks.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'source-stacks-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Line 1, column 1 of the bundle is line 3, column 5 of `src/pay.ts`. */
const MAP = JSON.stringify({ version: 3, sources: ['../src/pay.ts'], names: [], mappings: 'AAEI' });

it('names the source of each frame of a bundle with a map, by path and by address', () => {
  const bundle = join(folder, 'main.js');
  writeFileSync(`${bundle}.map`, MAP);
  const source = join(folder, '..', 'src', 'pay.ts');
  const stack = `Error: no\n    at pay (${pathToFileURL(bundle)}:1:1)\n    at ${bundle}:1:9\n    at node:internal/x:1:1`;
  const named = `Error: no\n    at pay (${source}:3:5)\n    at ${source}:3:5\n    at node:internal/x:1:1`;
  expect(sourceStack(stack)).toBe(named);
  // Without the map: what was looked up is remembered.
  rmSync(`${bundle}.map`);
  expect(sourceStack(stack)).toBe(named);
});

it.each([undefined, '', '{', '{}', 'null', '{"version":3,"sources":[],"names":[],"mappings":"!"}'])(
  'leaves a stack as it is where the map is %s',
  (map) => {
    const bundle = join(folder, 'main.js');
    if (map !== undefined) writeFileSync(`${bundle}.map`, map);
    const stack = `Error: no\n    at pay (${bundle}:1:1)`;
    expect(sourceStack(stack)).toBe(stack);
  },
);
