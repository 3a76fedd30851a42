import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Checkpoints } from './checkpoints.js';
import { SqliteConnection } from './connection.js';

const FULL_PAGES = 200;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'checkpoints-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('brings the log into the file while commits go on, so that a full log starts over', async () => {
  const file = join(folder, 'file.db');
  const writer = await SqliteConnection.open(file, { checkpointPages: FULL_PAGES });
  const checkpoints = new Checkpoints(await SqliteConnection.open(file), FULL_PAGES);
  await writer.exec('CREATE TABLE t (a TEXT)');
  const before = statSync(file).size;
  // 100 pages a commit at first, of which the first guess knows nothing.
  for (let commit = 0; commit < 60; commit += 1) {
    await writer.run('INSERT INTO t VALUES (hex(zeroblob(40000)))');
    checkpoints.committed();
  }
  await checkpoints.close();
  expect(statSync(file).size).toBeGreaterThan(before + 59 * 40_000);
  // 60 commits of about 20 pages are 1,200; the log never held many more than it may.
  expect(statSync(`${file}-wal`).size / 4_096).toBeLessThan(3 * FULL_PAGES);
  await writer.close();
});

it('begins as often as the log fills, by what commits have written', async () => {
  const atCommits: number[] = [];
  let commits = 0;
  const pagesPerCommit = 5;
  const connection = {
    get: async <Row>() => {
      atCommits.push(commits);
      return { log: (commits * pagesPerCommit) % FULL_PAGES } as Row;
    },
    close: async () => {},
  };
  const checkpoints = new Checkpoints(connection, FULL_PAGES);
  for (commits = 1; commits <= 60; commits += 1) {
    checkpoints.committed();
    await new Promise((resolve) => setImmediate(resolve));
  }
  // By the guess 160 of 200 pages are 20 commits; by the 100 pages that those wrote they are 32.
  expect(atCommits).toEqual([20, 52]);
  await checkpoints.close();
});

it('stands a fault of the disk, and goes on', async () => {
  let tries = 0;
  const connection = {
    get: () => {
      tries += 1;
      return Promise.reject(new Error('disk I/O error'));
    },
    close: async () => {},
  };
  const checkpoints = new Checkpoints(connection, FULL_PAGES);
  for (let commit = 0; commit < 45; commit += 1) {
    checkpoints.committed();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(tries).toBe(2);
  await checkpoints.close();
});
