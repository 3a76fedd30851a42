import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VirtualClock } from '@tillbridge/protocol/seams/testing/virtual-clock.js';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FileLinkCheckpoint } from './link-checkpoint.js';

let home: string;
let path: string;
let clock: VirtualClock;
let faults: unknown[];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'link-checkpoint-'));
  path = join(home, 'links', 'EXTERNAL.last');
  clock = new VirtualClock(0);
  faults = [];
});
afterEach(() => rmSync(home, { recursive: true }));

const open = (at = path) => new FileLinkCheckpoint(at, clock, (error) => faults.push(error));

it('keeps the last exchange across processes, written at most once a second', async () => {
  const checkpoint = open();
  expect(checkpoint.last()).toBeUndefined();
  checkpoint.note(7);
  checkpoint.note(9);
  checkpoint.note(8);
  expect([checkpoint.last(), open().last()]).toEqual([9, 7]);
  await clock.advance(1_000);
  checkpoint.note(8);
  expect(open().last()).toBe(9);
  checkpoint.note(10);
  checkpoint.flush();
  expect(open().last()).toBe(10);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

it('takes what no checkpoint has written for nothing, and lets payments go on without a disk', () => {
  const checkpoint = open();
  checkpoint.note(1);
  for (const text of ['', 'x', '-1', '1e9', '9'.repeat(16)]) {
    writeFileSync(path, text);
    expect(open().last(), text).toBeUndefined();
  }
  expect(readFileSync(path, 'utf8')).toBe('9'.repeat(16));
  const broken = open(join(home, 'a-file', 'EXTERNAL.last'));
  writeFileSync(join(home, 'a-file'), '');
  broken.note(2);
  expect(broken.last()).toBe(2);
  expect(faults).toHaveLength(1);
});
