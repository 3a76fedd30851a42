import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { replaceFile } from '@tillbridge/platform/write-file.js';

const FILE_MODE = 0o644;
const FOLDER_MODE = 0o755;

/** Replaces a file of the system that every user may read, and makes the folders above it. The umask of the process does not count. */
export function writeOpenFile(path: string, content: string): void {
  makeOpenFolder(dirname(path));
  replaceFile(path, content);
  chmodSync(path, FILE_MODE);
}

/** Makes a folder that every user may read, and those above it; one that is there stays as it is. */
export function makeOpenFolder(path: string): void {
  if (existsSync(path)) return;
  makeOpenFolder(dirname(path));
  mkdirSync(path);
  chmodSync(path, FOLDER_MODE);
}
