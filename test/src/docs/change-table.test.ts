import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../stack/layout.js';
import { tableRows } from './markdown.js';

const PAGE = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');

interface Place {
  readonly file: string;
  readonly symbol: string;
}

/** The places of a cell: `file`: `symbol`. */
function placesOf(cell: string): readonly Place[] {
  return [...cell.matchAll(/`([^`]+\/[^`]+)`(?:: `([^`]+)`)?/g)].map(([, file = '', symbol = '']) => ({
    file,
    symbol,
  }));
}

const rows = tableRows(PAGE, 'I want to change …').map(([what = '', ...cells]) => ({
  what,
  places: cells.flatMap(placesOf),
}));

/** A declaration of the module itself, exported or not. */
const declared = (symbol: string) =>
  new RegExp(`^(export )?(async )?(const|function|class|interface|type) ${symbol}\\b`, 'm');

/** What declares a symbol, by the end of the file's name: a declaration of TypeScript or JavaScript, a message of protobuf, a custom property of CSS. */
const DECLARATIONS: Readonly<Record<string, (symbol: string) => RegExp>> = {
  css: (symbol) => new RegExp(`^\\s*${symbol}:`, 'm'),
  mjs: declared,
  proto: (symbol) => new RegExp(`^message ${symbol} `, 'm'),
  ts: declared,
  tsx: declared,
};

/** What is wrong with a place; empty when its file declares the symbol. */
function faultOf({ file, symbol }: Place): string {
  if (!existsSync(join(ROOT, file))) return `${file}: no such file`;
  if (symbol === '') return `${file}: names nothing in it`;
  const declares = DECLARATIONS[file.slice(file.lastIndexOf('.') + 1)]?.(symbol);
  return declares?.test(readFileSync(join(ROOT, file), 'utf8')) ? '' : `${file}: does not declare ${symbol}`;
}

/** What a newcomer wants to change first; each has a row. */
const WANTED_FIRST = [
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
  'follow-up type',
  'device type',
  'kind of limit',
  'feature',
];

describe('the table "I want to change …" of ARCHITECTURE.md', () => {
  it.each(WANTED_FIRST)('has a row for: %s', (word) => {
    expect(rows.some(({ what }) => what.includes(word))).toBe(true);
  });

  it.each(rows)('$what: one or two files that declare what is named', ({ places }) => {
    expect(places.length).toBeGreaterThanOrEqual(1);
    expect(places.length).toBeLessThanOrEqual(2);
    expect(places.map(faultOf).filter((fault) => fault !== '')).toEqual([]);
  });

  it.each([
    ['`agent/src/nowhere.ts`: `x`', 'no such file'],
    ['`agent/src/access/rights.ts`', 'names nothing in it'],
    ['`agent/src/access/rights.ts`: `TILL_WRONGS`', 'does not declare TILL_WRONGS'],
    ['`protocol/bridge.proto`: `Envelop`', 'does not declare Envelop'],
  ])('would be found wrong: %s', (cell, fault) => {
    expect(placesOf(cell).map(faultOf)).toEqual([expect.stringContaining(fault)]);
  });

  it('names nothing twice', () => {
    const names = rows.map(({ what }) => what);
    expect(new Set(names).size).toBe(names.length);
  });
});
