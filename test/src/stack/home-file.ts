import { replaceFile } from '@tillbridge/platform/write-file.js';
import { StartFailure } from './start-failure.js';

/**
 * Writes a file of the home in one step, readable only by its owner; nothing is left of one that cannot be written.
 * @throws StartFailure
 */
export function writeHomeFile(path: string, text: string): void {
  try {
    replaceFile(path, text);
  } catch (error) {
    throw unwritable(path, error);
  }
}

/** The error text where the system refuses to write into the home. */
export function unwritable(path: string, error: unknown): unknown {
  if (!(error instanceof Error && 'syscall' in error && 'code' in error)) return error;
  const why = error.code === 'ENOSPC' ? 'the disk is full' : `the system answers ${error.code}`;
  const advice = 'make room, or name another folder with TILLBRIDGE_HOME';
  return new StartFailure(`${path} cannot be written: ${why}; ${advice}`, 1);
}
