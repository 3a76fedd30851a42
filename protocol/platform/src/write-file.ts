import { closeSync, fchmodSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Only the owner reads and writes. */
export const OWNER_ONLY = 0o600;

/**
 * Replaces a file of mode 0600, or makes it: after a power cut it is the old one or the new one, each whole. It is on disk on return.
 * @throws the file system's error; the old file is as it was, and no other file is left
 */
export function replaceFile(path: string, content: string | Uint8Array): void {
  const next = nextOf(path);
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

/** The same as {@link replaceFile}; the process goes on meanwhile. One at a time for each path. @throws as it does */
export async function replaceFileAsync(path: string, content: string | Uint8Array): Promise<void> {
  const next = nextOf(path);
  await rm(next, { force: true });
  try {
    const file = await open(next, 'wx', OWNER_ONLY);
    try {
      await file.chmod(OWNER_ONLY);
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(next, path);
    await syncFolder(dirname(path));
  } catch (error) {
    await rm(next, { force: true });
    throw error;
  }
}

async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** What takes the place of a file, until then. */
function nextOf(path: string): string {
  return join(dirname(path), `.${basename(path)}.${process.pid}.new`);
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
