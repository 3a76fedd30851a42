import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../stack/layout.js';
import { tableRows } from './markdown.js';

const PAGE = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');

const rows = tableRows(PAGE, 'I want to change …').map(([what = '', ...cells]) => ({
  what,
  files: cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file)),
}));

/** What a newcomer asks for first; each has a row. */
const ASKED = [
  'parameter',
  'result code',
  'terminal command',
  'offline limit',
  'table column',
  'retry schedule',
  'cashier text',
  'metric',
  'acquirer',
  'maker',
];

describe('the table "I want to change …" of ARCHITECTURE.md', () => {
  it.each(ASKED)('has a row for: %s', (word) => {
    expect(rows.some(({ what }) => what.includes(word))).toBe(true);
  });

  it.each(rows)('$what: one or two files that exist', ({ files }) => {
    expect(files.length).toBeGreaterThanOrEqual(1);
    expect(files.length).toBeLessThanOrEqual(2);
    for (const file of files) expect(existsSync(join(ROOT, file)), file).toBe(true);
  });

  it('names nothing twice', () => {
    const names = rows.map(({ what }) => what);
    expect(new Set(names).size).toBe(names.length);
  });
});
