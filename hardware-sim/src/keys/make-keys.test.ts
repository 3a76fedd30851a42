import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { fromHex, toHex, xorBytes } from '@tillbridge/wire/bytes.js';
import { tdesKcv } from '@tillbridge/wire/crypto/ciphers/kcv.js';
import { unwrapKeyBlock } from '@tillbridge/wire/crypto/key-block/key-block.js';
import { developmentKey, isTestKey } from '@tillbridge/wire/crypto/key-block/test-keys.js';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeKeys } from './make-keys.js';
import { KeyFileError, SIMULATOR_KEY_NAMES, simulatorKey, useKeyFile } from './simulator-keys.js';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'simulator-keys-'));
});
afterEach(() => {
  useKeyFile(undefined);
  rmSync(home, { recursive: true });
});

it('makes its own keys, and what people carry to a gateway', () => {
  const folder = join(home, 'keys');
  const { keyFile, checkValues } = makeKeys(folder, systemRandom);
  for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  expect(simulatorKey('bdkPin')).toEqual(developmentKey('bdkPin'));
  useKeyFile(keyFile);
  for (const name of SIMULATOR_KEY_NAMES) expect(isTestKey(simulatorKey(name))).toBe(false);
  const part = (name: string) => fromHex(readFileSync(join(folder, name), 'latin1').trim());
  const base = xorBytes(part('bdkPin-1.txt'), part('bdkPin-2.txt'));
  expect(toHex(base)).toBe(toHex(simulatorKey('bdkPin')));
  const block = readFileSync(join(folder, 'zoneMacKey.tr31'), 'latin1').trim();
  const { key } = unwrapKeyBlock(simulatorKey('zoneProtectionKey'), block);
  expect(toHex(key)).toBe(toHex(simulatorKey('zoneMacKey')));
  expect(checkValues.zoneMacKey).toBe(toHex(tdesKcv(key)));
  expect(() => makeKeys(folder, systemRandom)).toThrow('EEXIST');
});

it.each([
  ['is missing', undefined],
  ['is no JSON', '{'],
  ['has no object', '1'],
  ['lacks a key', '{}'],
  ['has a key of another form', JSON.stringify({ bdkPin: 'AB' })],
])('refuses a key file that %s, and shows nothing of it', (_, content) => {
  const file = join(home, 'keys.json');
  if (content !== undefined) writeFileSync(file, content);
  expect(() => useKeyFile(file)).toThrow(KeyFileError);
  expect(simulatorKey('cvk')).toEqual(developmentKey('cvk'));
});
