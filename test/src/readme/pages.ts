import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Folders that are no part of the documentation: what is installed, built, kept aside or test data. */
const LEFT_OUT: ReadonlySet<string> = new Set(['node_modules', 'dist', 'coverage', 'generated', 'vectors']);

/** Paths of all pages of documentation below `root`, in order: every Markdown file of the repository. */
export function pagesOf(root: string): readonly string[] {
  return markdownIn(root).map((path) => relative(root, path));
}

function markdownIn(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory())
      return LEFT_OUT.has(entry.name) || entry.name.startsWith('.') ? [] : markdownIn(path);
    return entry.name.endsWith('.md') ? [path] : [];
  });
}
