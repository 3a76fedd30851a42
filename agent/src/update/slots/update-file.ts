import { join } from 'node:path';
import { readIfThere } from '@tillbridge/platform/read-file.js';
import { systemCode } from '@tillbridge/platform/system-code.js';
import { replaceFile } from '@tillbridge/platform/write-file.js';
import { UpdateError } from '../base/update-error.js';
import type { UpdateState } from '../machine/update-machine.js';
import type { RootDocument } from '../trust/documents.js';
import type { Trust } from '../trust/judge-release.js';

/** Where an archive is: a path, or an https: address. */
export interface Source {
  readonly archive: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** What an installation keeps of its updates, in one file that is replaced as a whole. */
export interface UpdateRecord {
  readonly state: UpdateState;
  /** Of the update in the state. */
  readonly source?: Source;
  /** The newest root document that was followed; absent: that of the program. */
  readonly root?: RootDocument;
  readonly newest?: Trust['newest'];
  /** The latest time that a release was judged at, milliseconds since 1970. */
  readonly latestMs: number;
}

const NOTHING: UpdateRecord = { state: { phase: 'idle' }, latestMs: 0 };
/** Its name, in the folder of the slots. */
export const UPDATE_FILE = 'update.json';

/** The durable record of an installation's updates. */
export class UpdateFile {
  readonly #path: string;

  constructor(folder: string) {
    this.#path = join(folder, UPDATE_FILE);
  }

  /** @throws UpdateError where the file cannot be read: it is never half written */
  read(): UpdateRecord {
    const content = this.#content();
    if (!content) return NOTHING;
    try {
      return JSON.parse(Buffer.from(content).toString('utf8')) as UpdateRecord;
    } catch {
      throw new UpdateError(
        `${this.#path} is damaged: what was accepted before is not known; install by hand`,
      );
    }
  }

  #content(): Uint8Array | undefined {
    try {
      return readIfThere(this.#path);
    } catch (error) {
      throw new UpdateError(
        `${this.#path} cannot be read (${systemCode(error)}): run this as the user that owns it`,
      );
    }
  }

  /** Is on the disk on return. */
  write(record: UpdateRecord): void {
    replaceFile(this.#path, `${JSON.stringify(record, null, 2)}\n`);
  }
}
