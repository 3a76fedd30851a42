import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { ReadStream } from 'node:tty';
import { BasePipe } from '@tillbridge/wire/seams/base-pipe.js';
import type { BytePipe } from '@tillbridge/wire/seams/byte-pipe.js';
import type { Libc } from './libc.js';
import { loadLibc } from './libc.js';

/** Bytes that wait for a host that does not read; further ones are lost, as on a real line. */
export const MAX_UNREAD_BYTES = 64 * 1024;
/** Retry interval of a full line; no event reports room on a terminal's line. */
const FULL_LINE_RETRY_MS = 5;

/** The device end of a pseudo-terminal pair; the other end is a serial port named {@link slavePath}. */
export interface PtyPipe extends BytePipe {
  /** Device file that the agent opens, such as `/dev/pts/4`. */
  readonly slavePath: string;
  /**
   * Where a stable link leads: the same line, for as long as this process keeps it open. The device file alone would be the line of
   * another process as soon as its number is given again, and a process that is killed does not remove the link.
   */
  readonly linkTarget: string;
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
    libc.setNonBlocking(masterFd);
    return new MasterPipe(slavePath, masterFd, slaveFd);
  } catch (error) {
    if (slaveFd !== undefined) closeSync(slaveFd);
    closeSync(masterFd);
    throw error;
  }
}

/**
 * Reads through an event-loop handle, writes by itself: the runtime's terminal streams write blocking on a master
 * side, so that a host that does not read would stop the whole process.
 */
class MasterPipe extends BasePipe implements PtyPipe {
  readonly slavePath: string;
  readonly linkTarget: string;
  readonly #masterFd: number;
  readonly #master: ReadStream;
  readonly #closed: Promise<void>;
  #unread: Buffer = Buffer.alloc(0);
  #retry: NodeJS.Timeout | undefined;

  constructor(slavePath: string, masterFd: number, slaveFd: number) {
    super(slavePath);
    this.slavePath = slavePath;
    // Without /proc, as on macOS, the device file has to do.
    this.linkTarget = process.platform === 'linux' ? `/proc/${process.pid}/fd/${slaveFd}` : slavePath;
    this.#masterFd = masterFd;
    this.#master = new ReadStream(masterFd);
    this.#closed = new Promise((resolve) => {
      this.#master.once('close', () => {
        closeSync(slaveFd);
        resolve();
      });
    });
    this.#master.on('error', (error) => this.end(error.message));
    this.#master.on('end', () => this.end('the line ended'));
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.requireOpen();
    if (this.#unread.length + bytes.length > MAX_UNREAD_BYTES) {
      throw new Error(`${this.name}: the host does not read; the bytes are lost`);
    }
    this.#unread = Buffer.concat([this.#unread, bytes]);
    if (this.#retry === undefined) this.#flush();
  }

  /** The line is read from the first listener on: what comes before waits for it. */
  override onData(listener: (bytes: Uint8Array) => void): () => void {
    this.#master.on('data', listener);
    return () => this.#master.off('data', listener);
  }

  override async close(): Promise<void> {
    await super.close();
    await this.#closed;
  }

  /** Writes what the line has room for, and comes back for the rest. */
  #flush(): void {
    this.#retry = undefined;
    try {
      while (this.#unread.length > 0)
        this.#unread = this.#unread.subarray(writeSync(this.#masterFd, this.#unread));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN') {
        this.#retry = setTimeout(() => this.#flush(), FULL_LINE_RETRY_MS);
      } else {
        this.end(error instanceof Error ? error.message : String(error));
      }
    }
  }

  protected release(): void {
    clearTimeout(this.#retry);
    this.#unread = Buffer.alloc(0);
    this.#master.destroy();
  }
}
