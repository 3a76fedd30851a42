import { createSecretKey, randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  decodeRecord,
  encodeRecord,
  putAside,
  type RecordFile,
  readRecord,
  recordKey,
  writeRecord,
} from './record-file.js';
import type { NotedEntry } from './trust-entry.js';
import { RECORD_LIMITS } from './trust-record.js';

const TOKEN_KEY = createSecretKey(randomBytes(32));
const KEY = recordKey(TOKEN_KEY);
const FILE: RecordFile = {
  database: 'd',
  home: 'h',
  markMs: 7,
  beganMs: 3,
  entries: [
    { kind: 'token', id: 't', atMs: 4, notedMs: 4 },
    { kind: 'agent', id: 'a', atMs: 5, epoch: 9, isRevoked: true, key: 'k', generation: 2, notedMs: 5 },
    { kind: 'device', id: 's', atMs: 6, state: 'tampered', notedMs: 6 },
    { kind: 'counter', id: 's', atMs: 7, counter: 12, notedMs: 7 },
    { kind: 'link', id: 'EXTERNAL', atMs: 8, sequence: 3, notedMs: 8 },
  ],
};

let home: string;
let path: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'restore-record-'));
  path = join(home, 'restore', 'record');
});
afterEach(() => rmSync(home, { recursive: true }));

it('is read as it was written, by every home with the same keys', async () => {
  expect(readRecord(path, KEY)).toEqual({ kind: 'none' });
  await writeRecord(path, KEY, FILE);
  expect(readRecord(path, recordKey(TOKEN_KEY))).toEqual({ kind: 'good', file: FILE });
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

it('is believed nothing once a single byte of it was changed, or with another key', () => {
  const bytes = encodeRecord(KEY, FILE);
  for (let at = 0; at < bytes.length; at += 1) {
    const changed = Buffer.from(bytes);
    changed.writeUInt8((changed.readUInt8(at) + 1) & 0xff, at);
    expect(decodeRecord(KEY, changed), `byte ${at}`).toBeUndefined();
    expect(decodeRecord(KEY, bytes.subarray(0, at)), `${at} bytes`).toBeUndefined();
  }
  expect(decodeRecord(recordKey(createSecretKey(randomBytes(32))), bytes)).toBeUndefined();
});

it('of another version is not read, however authentic', () => {
  for (const odd of [
    { ...FILE, entries: [{ kind: 'spell', id: 'x', atMs: 1, notedMs: 1 }] },
    { ...FILE, entries: [{ kind: 'device', id: 'x', atMs: 1, notedMs: 1, state: 'gone' }] },
    { ...FILE, entries: [{ kind: 'link', id: 'x', atMs: 1, notedMs: 1, sequence: '1' }] },
    { ...FILE, entries: [{ kind: 'counter', id: 'x', atMs: 1, notedMs: 1, counter: 1.5 }] },
    ...[{ epoch: '1' }, { generation: null }, { key: 7 }].map((odd) => ({
      ...FILE,
      entries: [FILE.entries[0], { ...FILE.entries[1], ...odd }],
    })),
    { ...FILE, entries: [{ kind: 'token', id: 'x', atMs: '1', notedMs: 1 }] },
    { ...FILE, entries: [{ kind: 'token', id: 'x', atMs: 1, notedMs: 'x' }] },
    { ...FILE, entries: [{ kind: 'token', atMs: 1, notedMs: 1 }] },
    { ...FILE, entries: 7 },
    { ...FILE, markMs: 'x' },
    { ...FILE, beganMs: null },
    { ...FILE, database: 7 },
    { ...FILE, home: undefined },
    { ...FILE, format: 2 },
  ])
    expect(decodeRecord(KEY, encodeRecord(KEY, odd as unknown as RecordFile))).toBeUndefined();
});

it('of an earlier build is read: its entries were noted when they came to be', () => {
  const entry = { kind: 'token', id: 't', atMs: 4 } as const;
  const file = { ...FILE, entries: [entry] } as unknown as RecordFile;
  expect(decodeRecord(KEY, encodeRecord(KEY, file))?.entries).toEqual([{ ...entry, notedMs: 4 }]);
});

it('is put aside where it is damaged', async () => {
  await writeRecord(path, KEY, FILE);
  writeFileSync(path, 'x');
  expect(readRecord(path, KEY)).toEqual({ kind: 'damaged' });
  putAside(path);
  expect(existsSync(path)).toBe(false);
  expect(readFileSync(`${path}.damaged`, 'utf8')).toBe('x');
});

it('is read where it is as long as with all entries that are written, each with a long name', () => {
  const about = { id: 'é'.repeat(200), atMs: 1e13, notedMs: 1e13 };
  const agent = { kind: 'agent', epoch: 1e9, isRevoked: true, key: 'f'.repeat(64), generation: 1e9 } as const;
  const counter = { kind: 'counter', counter: 2 ** 21 } as const;
  const lengthOf = (entry: NotedEntry) => JSON.stringify(entry).length + about.id.length + 1;
  const length =
    RECORD_LIMITS.revoked * lengthOf({ ...agent, ...about }) +
    RECORD_LIMITS.counters * lengthOf({ ...counter, ...about });
  const entries: NotedEntry[] = [{ kind: 'token', ...about, id: 'x'.repeat(length) }];
  expect(length).toBeGreaterThan(16 * 1_048_576);
  expect(decodeRecord(KEY, encodeRecord(KEY, { ...FILE, entries }))?.entries.length).toBe(1);
});
