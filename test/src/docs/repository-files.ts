import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Paths of all files below `root` but those that git ignores, with slashes, sorted: what tools leave behind is no part of the repository. */
export function repositoryFiles(root: string): readonly string[] {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  // A file that was removed, and not yet from the index, is listed too.
  const paths = [...new Set(listed.split('\0'))].filter(
    (path) => path !== '' && existsSync(join(root, path)),
  );
  return paths.sort();
}
