import { constants, createWriteStream } from 'node:fs';
import { lstat, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

export const PLACE_LIMITS = {
  /** Largest file, in bytes. */
  bytes: 2 ** 30,
  /** Names of a place at most. */
  names: 10_000,
} as const;

/** A file of a place. */
export interface PlacedFile {
  readonly name: string;
  readonly size: number;
  /** When it was changed, as the place writes it. */
  readonly modified: string;
}

/** Where an acquirer puts files for us. Nothing is changed there. */
export interface FilePlace {
  /** Its files whose names are wanted. @throws PlaceError */
  list(isWanted: (name: string) => boolean): Promise<readonly PlacedFile[]>;
  /** Copies a file to a path that is not there yet. @throws PlaceError; FileTooLongError */
  copy(name: string, to: string): Promise<void>;
}

/** The place cannot be read now: it is tried again. */
export class PlaceError extends Error {
  override readonly name = 'PlaceError';
}

/** A file has more bytes than {@link PLACE_LIMITS} allows. */
export class FileTooLongError extends Error {
  override readonly name = 'FileTooLongError';

  constructor() {
    super(`has more than ${PLACE_LIMITS.bytes} bytes`);
  }
}

/** A folder of this machine, or of one whose disk it shares. */
export class FolderPlace implements FilePlace {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async list(isWanted: (name: string) => boolean): Promise<readonly PlacedFile[]> {
    return readable(this.#folder, async () => {
      const names = (await readdir(this.#folder)).filter(isWanted);
      if (names.length > PLACE_LIMITS.names) throw tooMany(this.#folder);
      const files = await Promise.all(names.map((name) => this.#fileOf(name)));
      return files.filter((file) => file !== undefined);
    });
  }

  async copy(name: string, to: string): Promise<void> {
    const path = join(this.#folder, name);
    // What was a file when it was listed may lead elsewhere by now.
    await readable(path, async () => {
      const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
      await copyAtMost(file.createReadStream(), to);
    });
  }

  /** Undefined for what is no file, a symbolic link among it: it may lead anywhere. */
  async #fileOf(name: string): Promise<PlacedFile | undefined> {
    const found = await lstat(join(this.#folder, name));
    if (!found.isFile()) return undefined;
    return { name, size: found.size, modified: found.mtime.toISOString() };
  }
}

/** Refuses a place that has more names than anybody looks through. */
export function tooMany(place: string): PlaceError {
  return new PlaceError(
    `${place} has more than ${PLACE_LIMITS.names} files: move those away that are imported`,
  );
}

/** Writes a stream to a new file of mode 0600. @throws FileTooLongError; the error of the stream */
async function copyAtMost(bytes: Readable, to: string): Promise<void> {
  await pipeline(bytes, new AtMost(), createWriteStream(to, { flags: 'wx', mode: 0o600 }));
}

/** Passes bytes on, up to the longest file. */
export class AtMost extends Transform {
  #left: number = PLACE_LIMITS.bytes;

  override _transform(chunk: Buffer, _: string, done: (error: Error | null, chunk?: Buffer) => void): void {
    this.#left -= chunk.length;
    if (this.#left < 0) done(new FileTooLongError());
    else done(null, chunk);
  }
}

async function readable<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FileTooLongError || error instanceof PlaceError) throw error;
    throw new PlaceError(`${what} cannot be read: ${(error as { readonly code?: string }).code ?? 'error'}`);
  }
}
