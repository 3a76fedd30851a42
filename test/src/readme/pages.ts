import { repositoryFiles } from '../docs/repository-files.js';

/** Folders that are no part of the documentation: what is kept aside, generated or test data. */
const LEFT_OUT = /(?:^|\/)(?:\.[^/]*|generated|vectors)\//;

/** Paths of all pages of documentation below `root`, in order: every Markdown file of the repository. */
export function pagesOf(root: string): readonly string[] {
  return repositoryFiles(root).filter((path) => path.endsWith('.md') && !LEFT_OUT.test(path));
}
