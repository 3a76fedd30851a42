import { dirname } from 'node:path';

/** Readable by its owner alone: what stands in our folders is nobody else's. */
const FOLDER_MODE = 0o700;

/** The calls of `node:fs` that are needed: this room does no I/O of its own. */
export interface FolderCalls {
  readonly mkdirSync: (path: string, options: { readonly mode: number }) => unknown;
  readonly statSync: (path: string) => { isDirectory(): boolean };
}

/**
 * Makes a folder of mode 0700 and those above it that are missing; one that is there stays as it is. Node's own `recursive` never ends
 * where the system answers ENOENT below a folder that is there, as Linux does below /proc.
 * @param fs `node:fs`
 * @throws the file system's error
 */
export function makeFolder(path: string, fs: FolderCalls): void {
  try {
    fs.mkdirSync(path, { mode: FOLDER_MODE });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'EEXIST' && fs.statSync(path).isDirectory()) return;
    if (code !== 'ENOENT' || dirname(path) === path) throw error;
    makeFolder(dirname(path), fs);
    fs.mkdirSync(path, { mode: FOLDER_MODE });
  }
}
