import { readFileSync } from 'node:fs';
import { fromHex } from '@tillbridge/protocol/bytes.js';
import {
  DEVELOPMENT_KEYS,
  type DevelopmentKeyName,
  developmentKey,
} from '@tillbridge/protocol/crypto/key-block/test-keys.js';
import { systemCode } from '@tillbridge/protocol/errors/system-code.js';

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
  const keys = readKeys(path);
  for (const name of SIMULATOR_KEY_NAMES) {
    const hex = keys[name];
    if (typeof hex !== 'string' || !/^[0-9A-F]{32}$/.test(hex))
      throw new KeyFileError(`${path}: ${name} must be 32 uppercase hex digits`);
    own.set(name, hex);
  }
}

function readKeys(path: string): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof parsed === 'object' && parsed !== null) return parsed as Record<string, unknown>;
  } catch (error) {
    // The parser's own message would quote the file.
    const reason = error instanceof SyntaxError ? 'is no JSON' : `cannot be read (${systemCode(error)})`;
    throw new KeyFileError(`${path} ${reason}`);
  }
  throw new KeyFileError(`${path} is no JSON object`);
}
