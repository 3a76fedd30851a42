import { describe, expect, it } from 'vitest';
import { brokenLinks, missingFiles } from './broken-links.js';
import { readPages } from './markdown.js';

const pages = readPages();

describe('the pages of the repository', () => {
  it('link files and headings that exist', () => {
    expect(pages.length).toBeGreaterThan(20);
    expect(brokenLinks(pages)).toEqual([]);
  });

  it('name files that exist', () => {
    expect(missingFiles(pages)).toEqual([]);
  });

  it.each(pages.filter(({ path }) => path.endsWith('README.md')))(
    '$path has at most 150 lines',
    ({ text }) => {
      expect(text.split('\n').length).toBeLessThanOrEqual(151);
    },
  );
});

describe('brokenLinks', () => {
  const page = (text: string) => [{ path: 'agent/README.md', text }];

  it.each([
    ['[x](docs/nowhere.md)', 'no such file'],
    ['[x](../nowhere.ts)', 'no such file'],
    ['[x](#nowhere)', 'no such heading'],
    ['# One\n\n```sh\n# Two\n```\n\n[x](#two)', 'no such heading'],
  ])('finds %j', (text, problem) => {
    expect(brokenLinks(page(text))).toEqual([expect.stringContaining(problem)]);
  });

  it.each([
    '# Till API\n\n[x](#till-api)',
    '# I want to change …\n\n[x](#i-want-to-change-)',
    '# P1: what `stays`\n\n[x](#p1-what-stays)',
    '# One\n\n# One\n\n[x](#one-1)',
    '[x](../LICENSE) [y](https://example.com/nowhere)',
    '```text\n[x](nowhere.md)\n```\n\n`[x](nowhere.md)`',
  ])('takes %j', (text) => {
    expect(brokenLinks(page(text))).toEqual([]);
  });
});

describe('missingFiles', () => {
  it('finds a file that is named and not there', () => {
    const text = '`agent/src/nowhere.ts` and `agent/package.json` and `src/nowhere.ts`';
    expect(missingFiles([{ path: 'README.md', text }])).toEqual(['README.md: agent/src/nowhere.ts']);
  });
});
