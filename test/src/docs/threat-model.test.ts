import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../stack/layout.js';
import { missingIn, proofsOf } from './proofs.js';

const page = readFileSync(join(ROOT, 'THREAT-MODEL.md'), 'utf8');

/** Tables of threats: the parts of the page that begin with "| threat | control | tests |". */
const threats = page
  .split(/^\| threat \| control \| tests \|\n\|---\|---\|---\|\n/m)
  .slice(1)
  .flatMap((text) => (text.split('\n\n', 1)[0] ?? '').split('\n'));

describe('the threat model', () => {
  it('has a control and a test for every threat', () => {
    expect(threats.length).toBeGreaterThan(30);
    for (const line of threats) {
      expect(line.split(' | ').length, line).toBe(3);
      expect(proofsOf(line).length, line).toBeGreaterThan(0);
    }
  });

  it.each(proofsOf(page))('$file has what is named', (proof) => {
    expect(missingIn(proof)).toEqual([]);
  });
});
