import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toHex } from '@tillbridge/wire/bytes.js';
import { tdesKcv } from '@tillbridge/wire/crypto/ciphers/kcv.js';
import { withOddParity } from '@tillbridge/wire/crypto/ciphers/tdes.js';
import { DEVELOPMENT_KEYS, developmentKey } from '@tillbridge/wire/crypto/key-block/test-keys.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SecretFileError } from '../../kernel/data-folder/secret-file.js';
import { ensureDevelopmentKeys } from '../development-keys.js';
import { securityFiles } from '../security-files.js';
import { type KeyMode, KeyStoreError, type NewKey, requireKey } from './key-store.js';
import { SoftwareKeyStore } from './software-key-store.js';

const random = { bytes: (length: number) => randomBytes(length) };
let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'keystore-'));
});
afterEach(() => {
  rmSync(home, { recursive: true, force: true });
});

function options(mode: KeyMode) {
  const files = securityFiles(home);
  return { keysPath: files.keys, masterKeyPath: files.masterKey, mode, random };
}

function newKey(overrides: Partial<NewKey> = {}): NewKey {
  const key = withOddParity(randomBytes(16));
  return {
    id: 'a',
    usage: 'bdk-data',
    algorithm: 'tdes2',
    scope: 'FFFF01',
    label: 'readers',
    key,
    ...overrides,
  };
}

function rule(action: () => unknown): string | undefined {
  try {
    action();
  } catch (error) {
    if (error instanceof KeyStoreError) return error.code;
    throw error;
  }
  return undefined;
}

test('a key survives on disk, sealed, and its bytes are wiped after use', () => {
  const input = newKey();
  SoftwareKeyStore.create(options('test')).add(input);
  const file = readFileSync(options('test').keysPath);
  expect(file.includes(toHex(input.key))).toBe(false);
  expect(file.includes(Buffer.from(input.key).toString('base64').slice(0, 20))).toBe(false);

  const store = SoftwareKeyStore.open(options('test'));
  const info = requireKey(store, 'bdk-data', 'FFFF0198765432100001');
  expect(info).toMatchObject({ id: 'a', label: 'readers', mode: 'test', kcv: toHex(tdesKcv(input.key)) });
  let kept: Uint8Array = new Uint8Array();
  const seen = store.use(info, (key) => {
    kept = key;
    return toHex(key);
  });
  expect(seen).toBe(toHex(input.key));
  expect(toHex(kept)).toBe('00'.repeat(16));
});

test('key files are for their owner alone, and others are refused', () => {
  SoftwareKeyStore.create(options('test')).add(newKey());
  for (const path of [options('test').keysPath, options('test').masterKeyPath]) {
    expect(statSync(path).mode & 0o777).toBe(0o600);
    chmodSync(path, 0o644);
    expect(() => SoftwareKeyStore.open(options('test'))).toThrow(SecretFileError);
    chmodSync(path, 0o600);
  }
  expect(SoftwareKeyStore.open(options('test')).list()).toHaveLength(1);
});

test('the longest scope wins, and use is never mixed up', () => {
  const store = SoftwareKeyStore.create(options('test'));
  store.add(newKey({ id: 'short', scope: 'FFFF' }));
  store.add(newKey({ id: 'long', scope: 'FFFF01' }));
  store.add(newKey({ id: 'zone', usage: 'zone-pin', scope: 'INTERNAL' }));
  expect(store.find('bdk-data', 'FFFF01AA')?.id).toBe('long');
  expect(store.find('bdk-data', 'FFFF02AA')?.id).toBe('short');
  expect(store.find('bdk-data', '1234')).toBeUndefined();
  expect(store.find('bdk-pin', 'FFFF01AA')).toBeUndefined();
  expect(store.find('zone-pin', 'INTERNALS')).toBeUndefined();
  expect(rule(() => requireKey(store, 'imk-ac', '4200000000000000'))).toBe('noKey');
  expect(() => requireKey(store, 'imk-ac', '4200000000000000')).toThrow(/for 420000…/);
});

test('what does not fit is refused', () => {
  const store = SoftwareKeyStore.create(options('test'));
  const first = newKey();
  store.add(first);
  expect(rule(() => store.add(newKey({ scope: 'other' })))).toBe('keyExists');
  expect(rule(() => store.add(newKey({ id: 'b' })))).toBe('keyExists');
  expect(rule(() => store.add(newKey({ id: 'b', key: randomBytes(24) })))).toBe('badKey');
  expect(rule(() => store.add(newKey({ id: 'b', key: Buffer.alloc(16) })))).toBe('badKey');
  expect(rule(() => store.add(newKey({ id: 'b', scope: 'b', expectedKcv: '000000' })))).toBe('kcvMismatch');
  expect(store.list()).toHaveLength(1);
});

test('live mode refuses test keys, and a store of the other mode', () => {
  const live = SoftwareKeyStore.create(options('live'));
  expect(rule(() => live.add(newKey({ key: developmentKey('bdkData') })))).toBe('testKeyInLive');
  live.add(newKey());
  expect(rule(() => SoftwareKeyStore.open(options('test')))).toBe('wrongMode');
});

test('a test store that is relabelled as live does not open', () => {
  ensureDevelopmentKeys(home, random);
  const { keysPath } = options('live');
  writeFileSync(keysPath, readFileSync(keysPath, 'utf8').replace('"mode": "test"', '"mode": "live"'));
  expect(rule(() => SoftwareKeyStore.open(options('live')))).toBe('wrongMasterKey');
});

test.each([
  ['usage', '"usage": "bdk-data"', '"usage": "bdk-pin"'],
  ['scope', '"scope": "FFFF01"', '"scope": "FFFF02"'],
  ['check value', /"kcv": "[0-9A-F]{6}"/, '"kcv": "000000"'],
])('a changed %s is noticed', (_name, from, to) => {
  SoftwareKeyStore.create(options('test')).add(newKey());
  const { keysPath } = options('test');
  const before = readFileSync(keysPath, 'utf8');
  const after = before.replace(from, to);
  expect(after).not.toBe(before);
  writeFileSync(keysPath, after);
  expect(rule(() => SoftwareKeyStore.open(options('test')))).toBe('wrongMasterKey');
});

test('a base key carries the device type of its key set, bound to it', () => {
  const store = SoftwareKeyStore.create(options('test'));
  store.add(newKey({ id: 'shared', scope: 'FFFF' }));
  store.add(newKey({ deviceType: 'GERTEC_PPC930' }));
  const types = SoftwareKeyStore.open(options('test')).list();
  expect(types.map(({ deviceType }) => deviceType)).toEqual([undefined, 'GERTEC_PPC930']);
  expect(rule(() => store.add(newKey({ id: 'b', scope: 'b', deviceType: 'OTHER' })))).toBe('badUse');
  const zone = newKey({ id: 'z', usage: 'zone-pin', scope: 'z', deviceType: 'GERTEC_PPC930' });
  expect(rule(() => store.add(zone))).toBe('badUse');
  const { keysPath } = options('test');
  const before = readFileSync(keysPath, 'utf8');
  for (const changed of ['"deviceType": "default"', '"deviceType": 3']) {
    writeFileSync(keysPath, before.replace('"deviceType": "GERTEC_PPC930"', changed));
    expect(rule(() => SoftwareKeyStore.open(options('test')))).toMatch(/^(wrongMasterKey|badFile)$/);
  }
});

test.each(['', '{', '[]', '{"version":2}', '{"version":1,"mode":"test","keys":[{}]}'])(
  'the file %j is refused',
  (text) => {
    SoftwareKeyStore.create(options('test')).add(newKey());
    writeFileSync(options('test').keysPath, text);
    expect(rule(() => SoftwareKeyStore.open(options('test')))).toBe('badFile');
  },
);

test('development keys come once and stay', () => {
  ensureDevelopmentKeys(home, random);
  const files = securityFiles(home);
  const before = [files.masterKey, files.internalAcquirerKey, files.keys].map((path) =>
    readFileSync(path, 'latin1'),
  );
  ensureDevelopmentKeys(home, random);
  expect(
    [files.masterKey, files.internalAcquirerKey, files.keys].map((path) => readFileSync(path, 'latin1')),
  ).toEqual(before);
  const kcvs = SoftwareKeyStore.open(options('test'))
    .list()
    .map((info) => info.kcv);
  // The simulated issuer of 3D Secure keeps its key to itself.
  const { cavvKey: _, ...ours } = DEVELOPMENT_KEYS;
  expect([...new Set(kcvs)].sort()).toEqual(
    Object.values(ours)
      .map((key) => key.kcv)
      .sort(),
  );
  expect(before.join('')).not.toContain(DEVELOPMENT_KEYS.imkAc.hex);
});
