import { createHash } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { syncPath } from '@tillbridge/platform/write-file.js';
import { UPDATE_LIMITS } from '../base/limits.js';
import { UpdateError } from '../base/update-error.js';
import { PROGRAM_MODES as MODES } from './program-modes.js';
import { type TarMember, TarReader } from './read-tar.js';

/** What an archive has to be. */
export interface ExpectedArchive {
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * Unpacks an archive into a folder, leaving out the folder that each of its paths begins with. The folder is there as a whole, on the disk, or
 * not at all: bytes are hashed as they are unpacked, and nothing counts of another archive than the expected one.
 * @param source the bytes of the archive
 * @throws UpdateError, or the file system's error
 */
export async function unpackArchive(
  source: AsyncIterable<Uint8Array>,
  expected: ExpectedArchive,
  folder: string,
): Promise<void> {
  const next = `${folder}.new`;
  rmSync(next, { recursive: true, force: true });
  mkdirSync(next, { recursive: true });
  demandRoom(next, expected);
  try {
    const writer = new FolderWriter(next);
    await pipeline(hashed(source, expected), createGunzip(), async (pieces: AsyncIterable<Buffer>) => {
      const reader = new TarReader(writer);
      for await (const piece of pieces) reader.push(piece);
      reader.end();
    });
    writer.close();
    syncFolders(next);
  } catch (error) {
    rmSync(next, { recursive: true, force: true });
    throw isCompression(error) ? new UpdateError('the archive is damaged: it is no gzip') : error;
  }
  rmSync(folder, { recursive: true, force: true });
  renameSync(next, folder);
  syncPath(dirname(folder));
}

function isCompression(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
}

function demandRoom(folder: string, { bytes }: ExpectedArchive): void {
  const { bavail, bsize } = statfsSync(folder);
  const needed = bytes * UPDATE_LIMITS.roomTimes;
  if (bavail * bsize >= needed) return;
  const mebibytes = (count: number) => Math.ceil(count / 1_048_576);
  throw new UpdateError(
    `the disk of ${folder} has ${mebibytes(bavail * bsize)} MiB left, and ${mebibytes(needed)} are needed: make room`,
  );
}

/** Hands the bytes on, and fails where they are not those that were expected. */
async function* hashed(
  source: AsyncIterable<Uint8Array>,
  { bytes, sha256 }: ExpectedArchive,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  let count = 0;
  for await (const piece of source) {
    count += piece.length;
    if (count > bytes)
      throw new UpdateError(`the archive is longer than the ${bytes} bytes that were signed`);
    hash.update(piece);
    yield piece;
  }
  if (count < bytes) throw new UpdateError(`the archive has ${count} of the ${bytes} bytes that were signed`);
  const digest = hash.digest('hex');
  if (digest !== sha256) throw new UpdateError(`the archive has SHA-256 ${digest}, and ${sha256} was signed`);
}

/** Writes the members of an archive below a folder, each synced before the next. */
class FolderWriter {
  readonly #folder: string;
  #entries = 0;
  #bytes = 0;
  #file: { readonly fd: number; left: number } | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  begin({ path, kind, executable, bytes }: TarMember): void {
    this.close();
    this.#entries += 1;
    this.#bytes += bytes;
    if (this.#entries > UPDATE_LIMITS.maxEntries || this.#bytes > UPDATE_LIMITS.maxUnpackedBytes)
      throw new UpdateError('the archive has more files or bytes than a program has');
    const below = path.split('/').slice(1).join('/');
    if (below === '') return;
    const place = join(this.#folder, below);
    if (kind === 'folder') {
      mkdirSync(place, { recursive: true });
      chmodSync(place, MODES.folder);
      return;
    }
    mkdirSync(dirname(place), { recursive: true });
    const mode = executable ? MODES.program : MODES.file;
    const fd = openSync(place, 'wx', mode);
    // The umask may take bits away.
    chmodSync(place, mode);
    this.#file = { fd, left: bytes };
  }

  piece(bytes: Uint8Array): void {
    const file = this.#file;
    if (!file) throw new UpdateError('the archive has bytes of no file');
    for (let written = 0; written < bytes.length; ) written += writeSync(file.fd, bytes, written);
    file.left -= bytes.length;
  }

  close(): void {
    const file = this.#file;
    this.#file = undefined;
    if (!file) return;
    fsyncSync(file.fd);
    closeSync(file.fd);
  }
}

function syncFolders(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) syncFolders(join(folder, entry.name));
  chmodSync(folder, MODES.folder);
  syncPath(folder);
}
