import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { readIfThere } from '@tillbridge/protocol/platform/read-file.js';
import { replaceFile } from '@tillbridge/protocol/platform/write-file.js';
import type { Clock } from '@tillbridge/protocol/seams/clock.js';

/** How long a note may wait until it is on disk, in milliseconds. */
const NOTE_EVERY_MS = 1_000;

/** Remembers outside of the database which exchange of a link was journaled last: a database that was put back has forgotten it. */
export interface LinkCheckpoint {
  /** Place of the last exchange that was noted; undefined where none was. */
  last(): number | undefined;
  /** Notes an exchange that is journaled. */
  note(sequence: number): void;
  /** Puts on disk what was noted. */
  flush(): void;
}

/** A checkpoint in a file of the gateway's home, which no backup of the database holds. Of notes within a second the last ones may be lost. */
export class FileLinkCheckpoint implements LinkCheckpoint {
  readonly #path: string;
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #onFault: (error: unknown) => void;
  #last: number | undefined;
  #written: number | undefined;
  #writtenAtMs = Number.NEGATIVE_INFINITY;

  /** @param onFault is told of a note that cannot be written: payments go on without it */
  constructor(path: string, clock: Pick<Clock, 'monotonicMs'>, onFault: (error: unknown) => void) {
    this.#path = path;
    this.#clock = clock;
    this.#onFault = onFault;
    const text = readIfThere(path)?.toString('latin1').trim() ?? '';
    this.#last = /^\d{1,15}$/.test(text) ? Number(text) : undefined;
    this.#written = this.#last;
  }

  last(): number | undefined {
    return this.#last;
  }

  note(sequence: number): void {
    this.#last = Math.max(this.#last ?? 0, sequence);
    if (this.#clock.monotonicMs() - this.#writtenAtMs >= NOTE_EVERY_MS) this.flush();
  }

  flush(): void {
    if (this.#last === undefined || this.#last === this.#written) return;
    this.#writtenAtMs = this.#clock.monotonicMs();
    try {
      mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
      replaceFile(this.#path, `${this.#last}\n`);
      this.#written = this.#last;
    } catch (error) {
      this.#onFault(error);
    }
  }
}
