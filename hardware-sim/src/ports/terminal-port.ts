import { mkdirSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import type { BytePipe } from '@tillbridge/wire/seams/byte-pipe.js';
import { openPty, type PtyPipe } from './pty.js';
import type { TerminalPlug } from './terminal-plug.js';

/**
 * The plug of a terminal: a pseudo-terminal behind a symbolic link whose path never changes. Unplugged, link and line
 * are gone; plugged in again, the same path leads to a new line. After a kill the path leads nowhere.
 */
export class TerminalPort implements TerminalPlug {
  readonly transport = 'serial';
  /** Path for the agent's configuration; stable across restarts and replugging. */
  readonly path: string;
  readonly #onPlug: (pipe: BytePipe) => void;
  #pty: PtyPipe | undefined;

  /** @param onPlug called with each new line */
  constructor(path: string, onPlug: (pipe: BytePipe) => void) {
    this.path = path;
    this.#onPlug = onPlug;
  }

  /** False while the link is missing: no host can open the line then. */
  get plugged(): boolean {
    return this.#pty !== undefined && pointsTo(this.path, this.#pty.linkTarget);
  }

  /**
   * Makes the line and its link, or the link again where it was removed; does nothing while plugged in.
   * @throws LibcError, or the file system's error
   */
  async plug(): Promise<void> {
    if (this.#pty) {
      if (!this.plugged) pointTo(this.path, this.#pty.linkTarget);
      return;
    }
    const pty = openPty();
    try {
      pointTo(this.path, pty.linkTarget);
    } catch (error) {
      void pty.close();
      throw error;
    }
    this.#pty = pty;
    this.#onPlug(pty);
  }

  /** Ends the line and removes its link; does nothing while unplugged. */
  async unplug(): Promise<void> {
    const pty = this.#pty;
    if (!pty) return;
    this.#pty = undefined;
    if (pointsTo(this.path, pty.linkTarget)) rmSync(this.path, { force: true });
    await pty.close();
  }
}

/** Replaces the link in one step, whatever a former process left there. */
function pointTo(path: string, target: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const aside = `${path}.new`;
  rmSync(aside, { force: true });
  symlinkSync(target, aside);
  renameSync(aside, path);
}

/** False also for a missing path and for another file: a file of others is not removed. */
function pointsTo(path: string, target: string): boolean {
  try {
    return readlinkSync(path) === target;
  } catch {
    return false;
  }
}
