import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { syncPath } from '@tillbridge/platform/write-file.js';
import { UpdateError } from '../base/update-error.js';
import { lockUpdates } from './lock-updates.js';
import type { Places } from './places.js';
import { PROGRAM_MODES } from './program-modes.js';

/** Bits of the owner, who alone may write. */
const EXECUTE = 0o100;
const MIB = 1_048_576;

/**
 * Puts a copy of a packed program into the first slot of a new installation, and lets the link name it. The slot is there as a whole, on the disk,
 * or not at all; any user may read it, whatever the umask.
 * @param program the folder of the program
 * @throws UpdateError without room on the disk, for a program that has the slots in it or a link; UpdateBusyError, UpdateUsageError; or the file system's error
 */
export async function copyIntoFirstSlot(program: string, places: Places): Promise<void> {
  demandOwnFolder(program, places);
  makeReadable(places.folder);
  const lock = await lockUpdates(places.folder);
  try {
    // An installation that was begun at the same time may have done it.
    if (!hasProgram(places)) copy(program, places);
  } finally {
    await lock.release();
  }
}

function hasProgram(places: Places): boolean {
  const current = places.current();
  return current !== undefined && places.recordOf(current) !== undefined;
}

function copy(program: string, places: Places): void {
  makeReadable(places.slots);
  const next = `${places.slot('a')}.new`;
  rmSync(next, { recursive: true, force: true });
  try {
    demandRoom(places.slots, program);
    copyFolder(program, next);
  } catch (error) {
    rmSync(next, { recursive: true, force: true });
    throw error;
  }
  rmSync(places.slot('a'), { recursive: true, force: true });
  renameSync(next, places.slot('a'));
  syncPath(places.slots);
  places.switchTo('a');
}

/** A copy of a program that has the slots in it would be a part of itself. */
function demandOwnFolder(program: string, { folder, slots }: Places): void {
  if (isBelow(realPlace(slots), realPlace(program)))
    throw new UpdateError(`${folder} is where the slots go: move what was unpacked to another folder`);
}

/** A path without links, whether it is there or not. */
function realPlace(path: string): string {
  return existsSync(path) ? realpathSync(path) : join(realPlace(dirname(path)), basename(path));
}

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(join(folder, sep));
}

function makeReadable(folder: string): void {
  if (existsSync(folder)) return;
  makeReadable(dirname(folder));
  mkdirSync(folder);
  chmodSync(folder, PROGRAM_MODES.folder);
}

function demandRoom(place: string, program: string): void {
  const { bavail, bsize } = statfsSync(place);
  const needed = bytesBelow(program);
  if (bavail * bsize > needed) return;
  const mebibytes = (count: number) => Math.ceil(count / MIB);
  throw new UpdateError(
    `the disk of ${place} has ${mebibytes(bavail * bsize)} MiB left, and the program has ${mebibytes(needed)}: make room`,
  );
}

function bytesBelow(folder: string): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name);
    return sum + (entry.isDirectory() ? bytesBelow(path) : lstatSync(path).size);
  }, 0);
}

function copyFolder(from: string, to: string): void {
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) copyFolder(source, target);
    else if (entry.isFile()) copyFile(source, target);
    // What a link leads to may be a file that root alone reads, and any user reads the copy.
    else throw new UpdateError(`${source} is no file: unpack the archive again`);
  }
  chmodSync(to, PROGRAM_MODES.folder);
  syncPath(to);
}

function copyFile(from: string, to: string): void {
  copyFileSync(from, to);
  chmodSync(to, statSync(from).mode & EXECUTE ? PROGRAM_MODES.program : PROGRAM_MODES.file);
  syncPath(to);
}
