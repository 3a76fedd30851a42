import { renameSync, statSync } from 'node:fs';
import { type DestinationStream, destination } from 'pino';

/** A log file of this size is put aside, and the one put aside before it goes. */
export const MAX_LOG_BYTES = 16 * 1024 * 1024;

/**
 * A log file of mode 0600 that never takes more than twice `maxBytes` of disk: at `maxBytes` it becomes `PATH.1`.
 * `trouble` is called with the first fault of a write; the lines that cannot be written are lost.
 * @throws the operating system's error when the file cannot be opened
 */
export function openLogFile(
  path: string,
  trouble: (error: Error) => void,
  maxBytes: number = MAX_LOG_BYTES,
): DestinationStream {
  const file = destination({ dest: path, mkdir: true, mode: 0o600, sync: true });
  let complained = false;
  const complain = (error: Error): void => {
    if (!complained) trouble(error);
    complained = true;
  };
  file.on('error', complain);
  let bytes = statSync(path).size;
  return {
    write: (line) => {
      bytes += Buffer.byteLength(line);
      if (bytes > maxBytes) {
        bytes = Buffer.byteLength(line);
        turnOver(path, () => file.reopen(), complain);
      }
      file.write(line);
    },
  };
}

function turnOver(path: string, reopen: () => void, complain: (error: Error) => void): void {
  try {
    renameSync(path, `${path}.1`);
    reopen();
  } catch (error) {
    complain(error instanceof Error ? error : new Error(String(error)));
  }
}
