import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { pagesOf } from '../readme/pages.js';
import { ROOT } from '../stack/layout.js';
import { readPages } from './markdown.js';
import { repositoryFiles } from './repository-files.js';

it('lists what is committed or new, and nothing that git ignores or that was removed', () => {
  const root = mkdtempSync(join(tmpdir(), 'tillbridge-files-'));
  try {
    for (const path of ['a/README.md', 'gone.md', '.gitignore', 'left/behind/README.md', 'new.md']) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), path === '.gitignore' ? 'left/\n' : '# Page\n');
    }
    execFileSync('git', ['init', '--quiet'], { cwd: root });
    execFileSync('git', ['add', 'a', 'gone.md', '.gitignore'], { cwd: root });
    rmSync(join(root, 'gone.md'));
    expect(repositoryFiles(root)).toEqual(['.gitignore', 'a/README.md', 'new.md']);
    expect(pagesOf(root)).toEqual(['a/README.md', 'new.md']);
  } finally {
    rmSync(root, { recursive: true });
  }
});

it('lists the pages that both kinds of tests of documentation read', () => {
  const read = readPages().map(({ path }) => path);
  expect(read.length).toBeGreaterThan(50);
  expect(read).toEqual(expect.arrayContaining([...pagesOf(ROOT)]));
});
