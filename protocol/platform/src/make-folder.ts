import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { systemCode } from './system-code.js';

/** Readable by its owner alone. */
const FOLDER_MODE = 0o700;

/**
 * Makes a folder of mode 0700 and those above it that are missing; one that is there stays as it is. Node's own `recursive` never ends
 * where the system answers ENOENT below a folder that is there, as Linux does below /proc.
 * @throws the file system's error
 */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: FOLDER_MODE });
  } catch (error) {
    const code = systemCode(error);
    if (code === 'EEXIST' && statSync(path).isDirectory()) return;
    if (code !== 'ENOENT' || dirname(path) === path) throw error;
    makeFolder(dirname(path));
    mkdirSync(path, { mode: FOLDER_MODE });
  }
}
