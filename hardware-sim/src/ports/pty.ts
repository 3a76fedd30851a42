import { closeSync, constants, openSync } from 'node:fs';
import { ReadStream } from 'node:tty';
import type { BytePipe } from '@tillbridge/protocol/seams/byte-pipe.js';
import { PipeClosedError } from '@tillbridge/protocol/seams/byte-pipe.js';
import type { Libc } from './libc.js';
import { loadLibc } from './libc.js';

/** The device end of a pseudo-terminal pair; the other end is a serial port named {@link slavePath}. */
export interface PtyPipe extends BytePipe {
  /** Device file that the agent opens, such as `/dev/pts/4`. */
  readonly slavePath: string;
}

/**
 * Opens a pseudo-terminal pair in raw mode and returns its device end.
 *
 * The slave side is kept open here as well: without a holder the line falls back to its default (echoing) mode and
 * the master reads an error as soon as the agent closes its end. The master is read through an event-loop handle, so
 * no thread waits in `read` and nothing is left behind after `close`.
 * @throws LibcError where there are no pseudo-terminals or the system has none left.
 */
export function openPty(libc: Libc = loadLibc()): PtyPipe {
  const masterFd = libc.openMaster();
  let slaveFd: number | undefined;
  try {
    const slavePath = libc.slavePath(masterFd);
    slaveFd = openSync(slavePath, constants.O_RDWR | constants.O_NOCTTY);
    libc.setRaw(slaveFd);
    return new MasterPipe(slavePath, masterFd, slaveFd);
  } catch (error) {
    if (slaveFd !== undefined) closeSync(slaveFd);
    closeSync(masterFd);
    throw error;
  }
}

class MasterPipe implements PtyPipe {
  readonly slavePath: string;
  readonly #slaveFd: number;
  readonly #master: ReadStream;
  readonly #closed: Promise<void>;
  readonly #closeListeners = new Set<(reason: string) => void>();
  #closeReason: string | undefined;

  constructor(slavePath: string, masterFd: number, slaveFd: number) {
    this.slavePath = slavePath;
    this.#slaveFd = slaveFd;
    this.#master = new ReadStream(masterFd);
    this.#closed = new Promise((resolve) => {
      this.#master.once('close', () => {
        closeSync(this.#slaveFd);
        resolve();
      });
    });
    this.#master.on('error', (error) => this.#end(error.message));
    this.#master.on('end', () => this.#end('the line ended'));
  }

  get name(): string {
    return this.slavePath;
  }

  write(bytes: Uint8Array): Promise<void> {
    if (this.#closeReason !== undefined) {
      return Promise.reject(new PipeClosedError(`${this.name}: ${this.#closeReason}`));
    }
    return new Promise((resolve, reject) => {
      this.#master.write(bytes, (error) => {
        if (error) reject(new PipeClosedError(`${this.name}: ${error.message}`));
        else resolve();
      });
    });
  }

  onData(listener: (bytes: Uint8Array) => void): () => void {
    this.#master.on('data', listener);
    return () => this.#master.off('data', listener);
  }

  onClose(listener: (reason: string) => void): () => void {
    this.#closeListeners.add(listener);
    return () => this.#closeListeners.delete(listener);
  }

  close(): Promise<void> {
    this.#end('closed');
    return this.#closed;
  }

  #end(reason: string): void {
    if (this.#closeReason !== undefined) return;
    this.#closeReason = reason;
    this.#master.destroy();
    for (const listener of this.#closeListeners) listener(reason);
    this.#closeListeners.clear();
  }
}
