import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../stack/layout.js';
import { repositoryFiles } from './repository-files.js';

/** One page of the repository. */
export interface Page {
  /** Path from the root of the repository, with slashes. */
  readonly path: string;
  readonly text: string;
}

/** Folders that begin with a dot hold no page of ours. */
const FOREIGN = /(?:^|\/)\./;

/** Every Markdown page of the repository, sorted by path. */
export function readPages(): readonly Page[] {
  return repositoryFiles(ROOT)
    .filter((path) => path.endsWith('.md') && !FOREIGN.test(path))
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
}

/** The text without fenced blocks: what a reader sees as prose, headings and tables. */
export function proseOf(text: string): string {
  return text.replace(/^( *)(```|~~~)[\s\S]*?^\1\2 *$/gm, '');
}

/** Targets of the links of a page, as written. */
export function linksOf(text: string): readonly string[] {
  const prose = proseOf(text).replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^()\s]+)\)/g)].map(([, target = '']) => target);
}

/** What stands in code spans of a page. */
export function codeOf(text: string): readonly string[] {
  return [...proseOf(text).matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
}

/** Anchors of the headings of a page, as GitHub makes them: a repeated heading gets a number. */
export function anchorsOf(text: string): ReadonlySet<string> {
  const counts = new Map<string, number>();
  const anchors = [...proseOf(text).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => {
    const anchor = anchorOf(heading);
    const count = counts.get(anchor) ?? 0;
    counts.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  });
  return new Set(anchors);
}

function anchorOf(heading: string): string {
  const words = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
  return words.replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '').replaceAll(' ', '-');
}

/** Rows of the table whose first column has this heading, as texts of their cells; empty when there is no such table. */
export function tableRows(text: string, firstHeading: string): readonly (readonly string[])[] {
  const lines = proseOf(text).split('\n');
  const start = lines.findIndex((line) => line.startsWith(`| ${firstHeading} |`));
  if (start < 0) return [];
  const rest = lines.slice(start + 2);
  const end = rest.findIndex((line) => !line.startsWith('|'));
  return rest.slice(0, end < 0 ? rest.length : end).map(cellsOf);
}

function cellsOf(line: string): readonly string[] {
  return line
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
}

type Finder = (page: Page) => readonly string[];

/** The finder for all pages but those that only history names things in, each hit behind its page. */
export function overPages(find: Finder): (pages: readonly Page[]) => readonly string[] {
  return (pages) =>
    pages
      .filter(({ path }) => path !== 'CHANGELOG.md')
      .flatMap((page) => [...new Set(find(page))].map((hit) => `${page.path}: ${hit}`));
}
