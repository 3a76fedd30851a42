import { readFileSync } from 'node:fs';
import { jsonReader } from '@tillbridge/platform/schema/reader.js';
import { Type } from '@tillbridge/platform/schema/type.js';
import { systemCode } from '@tillbridge/platform/system-code.js';
import { fromHex } from '@tillbridge/wire/bytes.js';
import {
  DEVELOPMENT_KEYS,
  type DevelopmentKeyName,
  developmentKey,
} from '@tillbridge/wire/crypto/key-block/test-keys.js';

/** The key file cannot be used; the message names it and never a key. */
export class KeyFileError extends Error {
  override readonly name = 'KeyFileError';
}

/** Every key that simulated terminals, cards, issuer and acquirer work with. */
export const SIMULATOR_KEY_NAMES = Object.keys(DEVELOPMENT_KEYS) as readonly DevelopmentKeyName[];

/** Keys of this process alone, in place of the published ones; none until a file was read. */
const own = new Map<DevelopmentKeyName, string>();

/** A key of this process: the published development key, unless a key file gives another. A fresh copy that the caller may wipe. */
export function simulatorKey(name: DevelopmentKeyName): Buffer {
  const hex = own.get(name);
  return hex === undefined ? developmentKey(name) : fromHex(hex);
}

/**
 * Takes the keys of this process from a file that `tillbridge-sim keys` has made; without one they are the published ones.
 * @throws KeyFileError
 */
export function useKeyFile(path: string | undefined): void {
  own.clear();
  if (path === undefined) return;
  const keys = readKeys(textOf(path), path);
  for (const name of SIMULATOR_KEY_NAMES) own.set(name, keys[name]);
}

const KEY = Type.String({ pattern: '^[0-9A-F]{32}$', expected: '32 uppercase hex digits', secret: true });
const KEYS = Type.Unsafe<Readonly<Record<DevelopmentKeyName, string>>>(
  Type.Object(Object.fromEntries(SIMULATOR_KEY_NAMES.map((name) => [name, KEY])), {
    expected: 'an object of keys',
    secret: true,
  }),
);
const readKeys = jsonReader(KEYS, 'the file', (reason) => new KeyFileError(reason));

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new KeyFileError(`${path} cannot be read (${systemCode(error)})`);
  }
}
