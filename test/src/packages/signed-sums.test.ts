import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  PUBLIC_KEY_FILE,
  readSigningKey,
  SIGNATURE_FILE,
  SUMS_FILE,
  sumsOf,
  writeSums,
} from './signed-sums.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillbridge-sums-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function keyFile(type: 'ed25519' | 'x25519'): string {
  const file = join(folder, `${type}.pem`);
  const { privateKey } = type === 'ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('x25519');
  writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  return file;
}

it('writes digests as sha256sum does, sorted by name', () => {
  const bytes = new TextEncoder().encode('abc');
  const digest = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
  const sums = sumsOf([
    ['b', bytes],
    ['a', bytes],
  ]);
  expect(sums).toBe(`${digest}  a\n${digest}  b\n`);
});

it('signs the digests with the key of a file', () => {
  writeSums(folder, 'x  y\n', readSigningKey(keyFile('ed25519')));
  const sums = readFileSync(join(folder, SUMS_FILE));
  const key = createPublicKey(readFileSync(join(folder, PUBLIC_KEY_FILE)));
  const signature = readFileSync(join(folder, SIGNATURE_FILE));
  expect(verify(null, sums, key, signature)).toBe(true);
  expect(verify(null, Buffer.from('x  z\n'), key, signature)).toBe(false);
});

it('writes no signature without a key', () => {
  writeSums(folder, 'x  y\n', undefined);
  expect(existsSync(join(folder, SIGNATURE_FILE))).toBe(false);
});

it('refuses a key that others can read, another kind of key, and what is no key', () => {
  const open = keyFile('ed25519');
  chmodSync(open, 0o640);
  expect(() => readSigningKey(open)).toThrow('can be read by others');
  expect(() => readSigningKey(keyFile('x25519'))).toThrow('an Ed25519 key is needed');
  const none = join(folder, 'none.pem');
  writeFileSync(none, 'none', { mode: 0o600 });
  expect(() => readSigningKey(none)).toThrow('is no private key in PEM');
});
