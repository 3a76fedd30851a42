import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SecretFileError } from '../../kernel/data-folder/secret-file.js';
import { temporaryHome } from '../test-keys.test.support.js';
import { ensureKeyFile, loadKeyFile } from './key-file.js';

let home: string;
let path: string;
beforeEach(() => {
  home = temporaryHome();
  path = join(home, 'keys', 'a.key');
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const KEY = Uint8Array.from({ length: 32 }, (_, at) => 0xf0 - 7 * at);

test('a key is made once, for its owner alone, and read back', () => {
  const key = ensureKeyFile(path, { bytes: () => Uint8Array.from(KEY) });
  const text = `${Buffer.from(KEY).toString('hex').toUpperCase()}\n`;
  expect(readFileSync(path, 'latin1')).toBe(text);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(key.export()).toEqual(Buffer.from(KEY));
  const again = ensureKeyFile(path, { bytes: () => new Uint8Array(32) });
  expect(again.equals(key)).toBe(true);
});

test.each(['', 'AB', 'ab'.repeat(32), `${'AB'.repeat(32)}\n\n`, 'XY'.repeat(32)])(
  'the content %j is no key',
  (text) => {
    writeFileSync(join(home, 'b.key'), text, { mode: 0o600 });
    expect(() => loadKeyFile(join(home, 'b.key'))).toThrow(SecretFileError);
  },
);

test('a missing key names the way out; a folder is no key', () => {
  expect(() => loadKeyFile(path)).toThrow(/is missing; "tillbridge-gateway seed"/);
  expect(() => loadKeyFile(home)).toThrow(SecretFileError);
});
