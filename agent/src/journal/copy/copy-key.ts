import { readFileSync, statSync } from 'node:fs';
import { systemCode } from '@tillbridge/platform/system-code.js';
import { createFile } from '@tillbridge/platform/write-file.js';
import { fromHex, toHex } from '@tillbridge/wire/bytes.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import { SEALING_KEY_BYTES } from '../sealed-bytes.js';

/** The copy's key file cannot be used; the message names the file and what to do, never its content. */
export class CopyKeyError extends Error {
  override readonly name = 'CopyKeyError';
}

/**
 * Makes a key file: 64 hex digits, mode 0600, so that it can be printed and typed in again.
 * @throws CopyKeyError when the file exists: a new key could not open what was copied under the old one
 */
export function createCopyKey(path: string, random: Random): void {
  try {
    createFile(path, `${toHex(random.bytes(SEALING_KEY_BYTES))}\n`);
  } catch (error) {
    const code = systemCode(error);
    const why = code === 'EEXIST' ? 'exists already' : `cannot be written (${code})`;
    throw new CopyKeyError(`copy key ${path} ${why}`);
  }
}

/**
 * Reads a key file.
 * @throws CopyKeyError when it is missing, open to other users, or no key
 */
export function readCopyKey(path: string): Uint8Array {
  let text: string;
  try {
    text = readFileSync(path, 'utf8').trim();
    if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0) {
      throw new CopyKeyError(`copy key ${path} is open to other users: set its mode to 0600`);
    }
  } catch (error) {
    if (error instanceof CopyKeyError) throw error;
    const code = systemCode(error);
    const advice =
      code === 'ENOENT'
        ? `; make one with "tillbridge-agent copy-key ${path}", and keep it a second time, apart from this machine and from the copy`
        : '';
    throw new CopyKeyError(`copy key ${path} cannot be read (${code})${advice}`);
  }
  const digits = text.replace(/\s/g, '');
  if (!/^[0-9a-f]{64}$/i.test(digits)) throw new CopyKeyError(`copy key ${path} must hold 64 hex digits`);
  return fromHex(digits);
}
