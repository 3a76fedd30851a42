import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../stack/layout.js';
import { missingIn, proofsOf } from './proofs.js';

const page = readFileSync(join(ROOT, 'test', 'docs', 'pages.md'), 'utf8');

describe('the list of pages that people use', () => {
  it('has a test for every row', () => {
    const rows = page.split('\n').filter((line) => /^\| (?!page \|)/.test(line));
    expect(rows.length).toBeGreaterThan(10);
    for (const row of rows) expect(proofsOf(row).length, row).toBeGreaterThan(0);
  });

  it.each(proofsOf(page))('$file has what is named', (proof) => {
    expect(missingIn(proof)).toEqual([]);
  });
});
