import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncPath } from '@tillbridge/platform/write-file.js';
import { type CrashPoint, dieAt } from '../crash-point.js';

/** Steps of a restore at which a test kills the process (crash-point.ts), in their order. */
export const RESTORE_STEPS = [
  /** The restored journal is complete, in a file whose name no program opens. */
  'restore-filled',
  /** That file is complete, in the folder of the journal that it will replace. */
  'restore-built',
  /** The old journal is set aside. */
  'restore-set-aside',
  /** So are SQLite's log files of the old journal. */
  'restore-log-set-aside',
  /** The home has the secrets of the copy. */
  'restore-secrets',
  /** The new journal has the journal's name. */
  'restore-placed',
  /** The home has the new generation. */
  'restore-generation',
] as const;

/** Suffix of the file in which a journal is rebuilt, in the folder of the old one. */
const BUILT = '.restored';
/** Suffixes of SQLite's log files: those of another journal corrupt the new one. */
const LOG_ENDS = ['-wal', '-shm'] as const;

/** The path under which a journal is rebuilt before it takes the place of the one at `path`. */
export function rebuiltPath(path: string): string {
  return path + BUILT;
}

/** A restore has ended between the moment in which it set the old journal aside and that in which the new one took its place. */
export function isPlacePending(path: string): boolean {
  return existsSync(rebuiltPath(path)) && !existsSync(path);
}

/** A restore has begun to take its place and has not ended; until it has, there is no journal. */
export class InterruptedRestore extends Error {
  override readonly name = 'InterruptedRestore';

  constructor(path: string) {
    super(`a restore of ${path} was interrupted: run "tillbridge-agent restore" once more, as before`);
  }
}

/**
 * To be called before the journal of a home is used. What a restore has built next to a journal that is used again is out of date from then
 * on: it must not take its place later.
 * @throws InterruptedRestore
 */
export function refusePending(path: string): void {
  if (isPlacePending(path)) throw new InterruptedRestore(path);
  for (const end of ['', ...LOG_ENDS]) rmSync(rebuiltPath(path) + end, { force: true });
}

/**
 * Gives a built journal its place: the old one is set aside first, so that nothing that starts in between takes it for the new one.
 * Killed anywhere, the same again comes to the same end. `before`: what has to be in the home before its journal is.
 */
export function takePlace(path: string, crashAt: CrashPoint | undefined, before: () => void): void {
  setAside(path, crashAt);
  dieAt(crashAt, 'restore-secrets', 'before');
  before();
  dieAt(crashAt, 'restore-secrets', 'after');
  dieAt(crashAt, 'restore-placed', 'before');
  renameSync(rebuiltPath(path), path);
  syncPath(dirname(path));
  dieAt(crashAt, 'restore-placed', 'after');
}

/** The file goes first: as long as it is there, it is whole with its log. */
function setAside(path: string, crashAt: CrashPoint | undefined): void {
  const name = placeAside(path);
  dieAt(crashAt, 'restore-set-aside', 'before');
  if (existsSync(path)) renameSync(path, name);
  dieAt(crashAt, 'restore-set-aside', 'after');
  dieAt(crashAt, 'restore-log-set-aside', 'before');
  for (const end of LOG_ENDS) if (existsSync(path + end)) renameSync(path + end, name + end);
  syncPath(dirname(path));
  dieAt(crashAt, 'restore-log-set-aside', 'after');
}

/** A name that nothing has; a log without its file follows the file that was set aside last. */
function placeAside(path: string): string {
  let count = 1;
  while (existsSync(`${path}.replaced-${count}`)) count += 1;
  const alone = !existsSync(path) && count > 1 && LOG_ENDS.some((end) => existsSync(path + end));
  return `${path}.replaced-${alone ? count - 1 : count}`;
}
