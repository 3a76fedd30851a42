import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KeyFileError, loadOrCreateKey } from './key-file.js';

describe('key file', () => {
  let home: string;
  let path: string;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'key-file-'));
    path = join(home, 'agent', 'blob.key');
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  it('is made once, readable only by its owner', () => {
    const key = loadOrCreateKey(path, systemRandom);
    expect(Buffer.from(key).equals(readFileSync(path))).toBe(true);
    expect(Buffer.from(key).equals(loadOrCreateKey(path, systemRandom))).toBe(true);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('is made whole or not at all: what a death in between left behind is no hindrance', () => {
    mkdirSync(dirname(path));
    const half = join(dirname(path), `.blob.key.${process.pid}.new`);
    writeFileSync(half, 'half');
    expect(loadOrCreateKey(path, systemRandom)).toHaveLength(32);
    expect(existsSync(half)).toBe(false);
  });

  it('of another length is refused by name', () => {
    loadOrCreateKey(path, systemRandom);
    writeFileSync(path, 'short');
    expect(() => loadOrCreateKey(path, systemRandom)).toThrow(KeyFileError);
  });
});
