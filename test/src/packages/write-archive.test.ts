import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fileEntry } from './archive-entry.js';
import { tarGz } from './write-archive.js';

const TIME = new Date('2026-11-29T07:00:00Z');
const ENTRIES = [
  fileEntry('bin/tool', '#!/bin/sh\n', true),
  fileEntry('a.txt', 'a'),
  { path: 'link', content: { link: 'bin/tool' } },
];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillbridge-tar-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

it('gives the same bytes for the same entries in any order', async () => {
  const bytes = await tarGz(ENTRIES, { time: TIME });
  expect(await tarGz(ENTRIES.toReversed(), { time: TIME })).toEqual(bytes);
});

it('sorts, and gives all to root at one time', async () => {
  const file = join(folder, 'a.tar.gz');
  writeFileSync(file, await tarGz(ENTRIES, { time: TIME, prefix: 'top/' }));
  const words = ['-tvzf', file, '--utc', '--full-time', '--numeric-owner'];
  const listed = execFileSync('tar', words, { encoding: 'utf8' }).trim().split('\n');
  expect(listed.map((line) => line.replaceAll(/ +/g, ' '))).toEqual([
    '-rw-r--r-- 0/0 1 2026-11-29 07:00:00 top/a.txt',
    'drwxr-xr-x 0/0 0 2026-11-29 07:00:00 top/bin/',
    '-rwxr-xr-x 0/0 10 2026-11-29 07:00:00 top/bin/tool',
    'lrwxrwxrwx 0/0 0 2026-11-29 07:00:00 top/link -> bin/tool',
  ]);
});
