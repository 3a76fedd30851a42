import { closeSync, fchmodSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** The owner reads and writes, nobody else. */
export const OWNER_ONLY = 0o600;

/**
 * Replaces a file of mode 0600, or makes it: after a power cut it is the old one or the new one, each whole. It is on disk on return.
 * @throws the file system's error; the old file is as it was, and nothing is left beside it
 */
export function replaceFile(path: string, content: string | Uint8Array): void {
  const next = join(dirname(path), `.${basename(path)}.${process.pid}.new`);
  rmSync(next, { force: true });
  try {
    writeNew(next, content);
    renameSync(next, path);
    syncPath(dirname(path));
  } catch (error) {
    rmSync(next, { force: true });
    throw error;
  }
}

/**
 * Makes a file of mode 0600 that must not be there yet. It is on disk on return.
 * @throws the file system's error, `EEXIST` when it is there
 */
export function createFile(path: string, content: string | Uint8Array): void {
  writeNew(path, content);
  syncPath(dirname(path));
}

/** Syncs a file, or the names in a folder. Windows opens no folder for that and syncs names itself. */
export function syncPath(path: string): void {
  if (process.platform === 'win32') return;
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function writeNew(path: string, content: string | Uint8Array): void {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const fd = openSync(path, 'wx', OWNER_ONLY);
  try {
    // The umask may take bits away from the owner.
    fchmodSync(fd, OWNER_ONLY);
    for (let written = 0; written < bytes.length; ) written += writeSync(fd, bytes, written);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
