import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '@tillbridge/platform/make-folder.js';
import { systemCode } from '@tillbridge/platform/system-code.js';
import { replaceFile } from '@tillbridge/platform/write-file.js';

/** Largest file that is read as a secret file; a key store of thousands of keys is far below. */
const MAX_SECRET_FILE_BYTES = 4 * 1024 * 1024;

/** A key file is missing, unreadable, open to others or not of the right form. The message names the file and what to do. */
export class SecretFileError extends Error {
  override readonly name = 'SecretFileError';
}

/**
 * Reads a file that its owner alone may open; undefined when there is none.
 * @throws SecretFileError when group or others may read or write it, when it is no file, or too large
 */
export function readSecretFile(path: string): Buffer | undefined {
  const fd = openIfThere(path);
  if (fd === undefined) return undefined;
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) throw new SecretFileError(`${path} is not a file`);
    // Windows has no such mode bits; its access lists are the installer's work.
    if (process.platform !== 'win32' && (stat.mode & 0o077) !== 0) {
      const mode = (stat.mode & 0o777).toString(8);
      throw new SecretFileError(`${path} has mode ${mode}; others could read keys: run chmod 600 on it`);
    }
    if (stat.size > MAX_SECRET_FILE_BYTES)
      throw new SecretFileError(`${path} is larger than ${MAX_SECRET_FILE_BYTES} bytes`);
    return readFileSync(fd);
  } finally {
    closeSync(fd);
  }
}

function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT') return undefined;
    throw new SecretFileError(`${path} cannot be opened (${code})`);
  }
}

/**
 * Writes a file of mode 0600 by atomic replacement: after a crash the file is the old one or the new one, both whole.
 * @throws SecretFileError
 */
export function writeSecretFile(path: string, content: Uint8Array): void {
  try {
    makeFolder(dirname(path));
    replaceFile(path, content);
  } catch (error) {
    throw new SecretFileError(`${path} cannot be written (${systemCode(error)})`);
  }
}
