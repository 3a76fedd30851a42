import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unpackArchive } from '@tillbridge/agent/update/slots/unpack.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ArchiveEntry, fileEntry } from '../archive-entry.js';
import { tarGz } from '../write-archive.js';

const TIME = new Date(Date.UTC(2026, 10, 29));
const PROGRAM = [
  fileEntry('bin/run', '#!/bin/sh\n', true),
  fileEntry(`${'a-long-folder/'.repeat(8)}${'name'.repeat(20)}.js`, 'x'.repeat(1_500)),
  fileEntry('empty', ''),
];

let folder: string;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'tillbridge-unpack-')), 'slot');
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true }));

const archiveOf = (entries: readonly ArchiveEntry[]) => tarGz(entries, { time: TIME, prefix: 'program-1/' });
const expectedOf = (bytes: Uint8Array) => ({
  bytes: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
});

/** In pieces, as a disk or a network gives them. */
async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 700) yield bytes.subarray(at, at + 700);
}

describe('an archive', () => {
  it('is unpacked without its first folder, and takes the place of what was there', async () => {
    const bytes = await archiveOf(PROGRAM);
    const old = await archiveOf([fileEntry('old', 'old')]);
    await unpackArchive(pieces(old), expectedOf(old), folder);
    await unpackArchive(pieces(bytes), expectedOf(bytes), folder);
    expect(existsSync(join(folder, 'old'))).toBe(false);
    for (const { path, content, executable = false } of PROGRAM) {
      const place = join(folder, path);
      expect(readFileSync(place)).toEqual(Buffer.from('bytes' in content ? content.bytes : []));
      expect(statSync(place).mode & 0o777).toBe(executable ? 0o755 : 0o644);
    }
    expect(existsSync(`${folder}.new`)).toBe(false);
  });

  it.each([
    [
      'with another digest',
      (bytes: Uint8Array) => ({ ...expectedOf(bytes), sha256: '0'.repeat(64) }),
      'was signed',
    ],
    [
      'that is longer',
      (bytes: Uint8Array) => ({ ...expectedOf(bytes), bytes: bytes.length - 1 }),
      'is longer than',
    ],
    [
      'that is shorter',
      (bytes: Uint8Array) => ({ ...expectedOf(bytes), bytes: bytes.length + 1 }),
      'were signed',
    ],
  ])('%s than what was signed leaves what was there', async (_, expected, reason) => {
    const old = await archiveOf([fileEntry('old', 'old')]);
    await unpackArchive(pieces(old), expectedOf(old), folder);
    const bytes = await archiveOf(PROGRAM);
    await expect(unpackArchive(pieces(bytes), expected(bytes), folder)).rejects.toThrow(reason);
    expect(readFileSync(join(folder, 'old'), 'utf8')).toBe('old');
    expect(existsSync(`${folder}.new`)).toBe(false);
  });

  it.each([
    [
      'with a link',
      archiveOf([{ path: 'link', content: { link: '/etc/passwd' } }]),
      'neither a file nor a folder',
    ],
    ['with a path that leads out', archiveOf([fileEntry('../x', 'x')]), 'leads out'],
    ['that is no gzip', Promise.resolve(Buffer.from('no archive at all')), 'no gzip'],
  ])('%s is refused, signed or not', async (_, making, reason) => {
    const bytes = await making;
    await expect(unpackArchive(pieces(bytes), expectedOf(bytes), folder)).rejects.toThrow(reason);
    expect(existsSync(folder)).toBe(false);
  });
});
