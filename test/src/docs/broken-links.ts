import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { ROOT } from '../stack/layout.js';
import { anchorsOf, codeOf, linksOf, type Page } from './markdown.js';

/** Files that a command writes: pages may name them. */
const WRITTEN: ReadonlySet<string> = new Set(['test/bench/latest.json']);

/** The maker that the page about adding one makes up. */
const EXAMPLE = /\/acme\//;

const ABSOLUTE = /^[a-z][a-z0-9+.-]*:/i;
const REPOSITORY_FILE =
  /^(?:agent|gateway|hardware-sim|protocol|test)\/[\w./-]+\.(?:c|json|md|mjs|proto|ts)$/;

/** What is wrong with the links of these pages: a line for each relative link whose file or heading is not there. */
export function brokenLinks(pages: readonly Page[]): readonly string[] {
  const byPath = new Map(pages.map((page) => [page.path, page]));
  return pages.flatMap((page) =>
    linksOf(page.text)
      .filter((target) => !ABSOLUTE.test(target))
      .flatMap((target) => {
        const problem = problemOf(page, target, byPath);
        return problem === undefined ? [] : [`${page.path}: ${target}: ${problem}`];
      }),
  );
}

function problemOf(page: Page, target: string, byPath: ReadonlyMap<string, Page>): string | undefined {
  const [file = '', anchor] = target.split('#', 2);
  const path = file === '' ? page.path : posix.join(posix.dirname(page.path), decodeURI(file));
  const linked = byPath.get(path);
  if (!linked && !existsSync(join(ROOT, path))) return 'no such file';
  if (anchor === undefined) return undefined;
  return linked && anchorsOf(linked.text).has(decodeURI(anchor)) ? undefined : 'no such heading';
}

/** Files of the repository that pages name in code spans and that are not there. */
export function missingFiles(pages: readonly Page[]): readonly string[] {
  return pages.flatMap((page) =>
    codeOf(page.text)
      .filter(
        (code) =>
          REPOSITORY_FILE.test(code) &&
          !WRITTEN.has(code) &&
          !EXAMPLE.test(code) &&
          !existsSync(join(ROOT, code)),
      )
      .map((code) => `${page.path}: ${code}`),
  );
}
