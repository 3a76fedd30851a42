import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { readIfThere } from '@tillbridge/platform/read-file.js';
import { replaceFile } from '@tillbridge/platform/write-file.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import { SEALING_KEY_BYTES } from './sealed-bytes.js';

/** The key file cannot be used; the message names the file and the rule. */
export class KeyFileError extends Error {
  override readonly name = 'KeyFileError';
}

/**
 * The key of the journal's blobs, from a file outside the database; made on first use, mode 0600.
 * A backup of the database without this file therefore opens nothing.
 * @throws KeyFileError when the file has another length; the file system's own errors as they come
 */
export function loadOrCreateKey(path: string, random: Random): Uint8Array {
  const existing = readIfThere(path);
  if (existing) {
    if (existing.length !== SEALING_KEY_BYTES) {
      throw new KeyFileError(`${path} must hold ${SEALING_KEY_BYTES} bytes, it has ${existing.length}`);
    }
    return existing;
  }
  const key = random.bytes(SEALING_KEY_BYTES);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // Whole or not at all: half a key would keep the agent from starting, and a lost one would lose the data under it.
  replaceFile(path, key);
  return key;
}
