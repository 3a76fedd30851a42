import { readFileSync } from 'node:fs';
import { systemCode } from './system-code.js';

/** The content of a file; undefined where there is none. @throws the file system's error for any other reason */
export function readIfThere(path: string | URL): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * The content of a small file.
 * @throws the error that `refuse` makes of the reason, such as `cannot be read (ENOENT)` or `is larger than 1024 bytes`
 */
export function readSmallFile(path: string, maxBytes: number, refuse: (reason: string) => Error): Buffer {
  let content: Buffer;
  try {
    content = readFileSync(path);
  } catch (error) {
    throw refuse(`cannot be read (${systemCode(error)})`);
  }
  if (content.length > maxBytes) throw refuse(`is larger than ${maxBytes} bytes`);
  return content;
}
