import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../stack/layout.js';
import { missingIn, proofsOf } from './proofs.js';

const page = readFileSync(join(ROOT, 'agent', 'docs', 'guarantees.md'), 'utf8');

/** Each promise and what stands under it. */
const sections = page
  .split(/^## /m)
  .slice(1)
  .map((text) => ({ title: text.split('\n', 1)[0] ?? '', text }));

describe('the page of guarantees', () => {
  it('has all eight promises, each with its limits', () => {
    expect(sections.map(({ title }) => title.slice(0, 3))).toEqual(
      [1, 2, 3, 4, 5, 6, 7, 8].map((number) => `P${number}:`),
    );
    for (const { title, text } of sections) expect(text, title).toContain('\nLimits: ');
  });

  it.each(sections)('$title: a test stands behind every line', ({ text }) => {
    const lines = text.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| line '));
    expect(lines.length).toBeGreaterThan(2);
    for (const line of lines) expect(proofsOf(line).length, line).toBeGreaterThan(0);
  });

  it.each(proofsOf(page))('$file has what is named', (proof) => {
    expect(missingIn(proof)).toEqual([]);
  });
});
