import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../stack/layout.js';
import { CRASH_CASES } from './crash-point-cases.js';
import { CRASH_PROOFS } from './crash-proofs.js';

const HERE = fileURLToPath(new URL('.', import.meta.url));

/** Values of the constants `…_ROW` of the agent: kinds of rows by their name. */
function rowConstants(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.includes('.test.'))
    .flatMap((name) => [
      ...readFileSync(join(folder, name), 'utf8').matchAll(/^export const \w+_ROW = '([a-z-]+)'/gm),
    ])
    .map(([, kind = '']) => kind);
}

describe('the rows of the journal', () => {
  it.each(Object.entries(CRASH_PROOFS))('%s: a real process dies on both sides of it', (kind, proof) => {
    const text = readFileSync(join(HERE, proof.file), 'utf8');
    if (text.includes('CRASH_CASES')) {
      const crashes = CRASH_CASES.flatMap((each) => each.crashes);
      expect(crashes).toEqual(expect.arrayContaining([`${kind}:before`, `${kind}:after`]));
    } else if (text.includes(`'before', '${kind}'`)) {
      for (const side of ['before', 'after']) expect(text).toContain(`['${side}', '${kind}']`);
    } else expect(text).toMatch(new RegExp(`\`${kind}:\\$\\{side\\}\`|kind: '${kind}', moment`));
  });

  it('are all known here', () => {
    const found = rowConstants(join(ROOT, 'agent', 'src'));
    expect(found.length).toBeGreaterThan(5);
    for (const kind of found) expect(Object.keys(CRASH_PROOFS)).toContain(kind);
  });
});
