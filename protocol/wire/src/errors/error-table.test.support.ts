import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type ErrorTable, errorPage } from './error-row.js';

/** A package's table, and the error classes of its sources that a part of the package catches before anybody meets them. */
interface ErrorTableCase {
  readonly name: string;
  readonly table: ErrorTable;
  readonly retired: readonly string[];
  readonly inner: readonly string[];
  /** `import.meta.url` of the test in the table's folder. */
  readonly url: string;
}

const sourcesOf = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/\.test(\.support)?\.ts$|testing\//.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8'));

/** What holds for the error table of every package. */
export function describeErrorTable({ name, table, retired, inner, url }: ErrorTableCase): void {
  const groups = Object.entries(table);
  const codes = groups.flatMap(([group, rows]) => Object.keys(rows).map((code) => `${group} ${code}`));
  const sources = sourcesOf(fileURLToPath(url.replace(/\/src\/.*/, '/src/')));
  const classes = sources.flatMap((text) =>
    [...text.matchAll(/class (\w+) extends \w*Error\b/g)].map(([, found = '']) => found),
  );
  const carriers = new Set(groups.flatMap(([group]) => group.split(/\W/)));
  const words = new Set(codes.map((code) => code.split(' ').at(-1)));

  describe(`the error table of ${name}`, () => {
    it('uses no code twice, and none that was given up', () => {
      const all = [...codes, ...retired];
      expect(all.filter((code, at) => all.indexOf(code) !== at)).toEqual([]);
      expect(codes.length).toBeGreaterThan(0);
    });

    it.each(groups)('%s: every row has what is wrong and what to do', (_group, rows) => {
      for (const [code, [text, action]] of Object.entries(rows)) {
        expect(text.length, code).toBeGreaterThan(8);
        expect(action.length, code).toBeGreaterThan(8);
        expect(`${text}${action}`, code).not.toMatch(/[.|\n]$/);
      }
    });

    it('has every error class of the sources', () => {
      expect(
        classes.filter((found) => ![carriers, words, new Set(inner)].some((known) => known.has(found))),
      ).toEqual([]);
    });

    it('lists as inner only classes that are there and have no row', () => {
      expect(inner.filter((found) => !classes.includes(found) || words.has(found))).toEqual([]);
    });

    it('has every code that the sources throw', () => {
      const thrown = sources.flatMap((text) =>
        [...text.matchAll(/new (\w+)\(\s*'([\w-]+)',/g)].flatMap(([, carrier = '', code = '']) =>
          carriers.has(carrier) ? [code] : [],
        ),
      );
      expect(thrown.filter((code) => !words.has(code))).toEqual([]);
    });

    it('gives a page with a row for each code', () => {
      const rows = errorPage(name, table)
        .split('\n')
        .filter((line) => line.startsWith('| `'));
      expect(rows).toHaveLength(codes.length);
    });
  });
}
