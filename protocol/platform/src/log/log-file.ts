import {
  closeSync,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DEFAULT_LOG_FILE, type LogFileLimits } from '../config/program-settings.js';
import { systemClock } from '../system-clock.js';
import { systemCode } from '../system-code.js';

const DAY_MS = 86_400_000;
/** A process that puts a file aside for so long has ended at it, in milliseconds. */
const STALE_MS = 10_000;
/** The beginning of a line, in which its time stands. */
const HEAD_BYTES = 128;

/** How a log file is written. */
interface LogFileOptions {
  readonly limits?: LogFileLimits;
  /** Wall-clock time in milliseconds. */
  readonly nowMs?: () => number;
  /** Another process puts the file aside: this one adds lines alone. */
  readonly isOnlyWriter?: boolean;
}

/** Where lines go. */
interface LogFile {
  readonly write: (line: string) => void;
}

/**
 * A log file of mode 0600. It is put aside as `PATH.1`, and the ones before it as `PATH.2` and so on, when it is as long or as old as `limits`
 * say; what is beyond their count or age is removed. Of several processes with the same file one puts it aside, and the others follow. Where
 * the file is a symbolic link, all that happens where it leads to. Each line is written at once; one that cannot be written is lost. `trouble`
 * is called with the first fault after a line that was written.
 * @throws the operating system's error when the file cannot be opened
 */
export function openLogFile(
  name: string,
  trouble: (error: Error) => void,
  options: LogFileOptions = {},
): LogFile {
  const { limits = DEFAULT_LOG_FILE, nowMs = systemClock.nowMs, isOnlyWriter = false } = options;
  mkdirSync(dirname(name), { recursive: true });
  let file = openSync(name, 'a+', 0o600);
  const path = realpathSync(name);
  let sinceMs = firstTimeMs(file) ?? nowMs();
  let complained = false;
  const attempt = (work: () => void): boolean => {
    try {
      work();
      return true;
    } catch (error) {
      if (!complained) trouble(error instanceof Error ? error : new Error(String(error)));
      complained = true;
      return false;
    }
  };
  const goOnWith = (next: number): void => {
    closeSync(file);
    file = next;
    sinceMs = firstTimeMs(file) ?? nowMs();
  };
  const turnOver = (): void => {
    // Begun first: where that fails, as without a free descriptor, nothing is put aside line by line until all is gone.
    const next = beginNext(`${path}.next`, nowMs());
    if (next === undefined) return;
    try {
      if (isAnother(path, file)) {
        // Put aside by another process since.
        rmSync(`${path}.next`);
        goOnWith(openSync(path, 'a+', 0o600));
        closeSync(next);
        return;
      }
      removeOld(path, limits, nowMs());
      putAside(path, limits.files);
      renameSync(`${path}.next`, path);
    } catch (error) {
      closeSync(next);
      throw error;
    }
    goOnWith(next);
  };
  if (!isOnlyWriter) attempt(() => removeOld(path, limits, nowMs()));
  return {
    write: (line) => {
      const bytes = Buffer.from(line);
      const isDue = (): boolean => {
        const { size } = fstatSync(file);
        const isLong = size + bytes.length > limits.maxBytes;
        return size > 0 && (isLong || nowMs() - sinceMs >= limits.maxAgeDays * DAY_MS);
      };
      if (!isOnlyWriter) attempt(() => isDue() && turnOver());
      if (attempt(() => writeAll(file, bytes))) complained = false;
    },
  };
}

function writeAll(file: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}

/** Begins the file that takes the place of a full one; undefined while another process does. @throws the operating system's error */
function beginNext(path: string, nowMs: number): number | undefined {
  const there = lstatSync(path, { throwIfNoEntry: false });
  if (there) {
    if (there.isFile() && Math.abs(nowMs - there.mtimeMs) < STALE_MS) return undefined;
    // Of a process that has ended; or another program has put it there.
    remove(path);
  }
  try {
    return openSync(path, 'ax+', 0o600);
  } catch (error) {
    // Another process has begun it since.
    if (systemCode(error) === 'EEXIST') return undefined;
    throw error;
  }
}

/** Removes a file, which another process may have removed since it was found. */
function remove(path: string): void {
  rmSync(path, { force: true });
}

/** Whether another file than the open one has this name by now. */
function isAnother(path: string, file: number): boolean {
  const named = statSync(path, { throwIfNoEntry: false });
  const { dev, ino } = fstatSync(file);
  return named !== undefined && (named.dev !== dev || named.ino !== ino);
}

/** When the first line of a file was written, by the line itself: copies of a file lose their creation time. */
function firstTimeMs(file: number): number | undefined {
  const head = Buffer.alloc(HEAD_BYTES);
  const length = readSync(file, head, 0, HEAD_BYTES, 0);
  const time = /"time":(\d{1,15})\b/.exec(head.toString('latin1', 0, length))?.[1];
  return time === undefined ? undefined : Number(time);
}

/** Files that were put aside, the newest first. */
function filesAside(path: string): readonly { readonly path: string; readonly number: number }[] {
  const name = basename(path);
  return readdirSync(dirname(path))
    .flatMap((each) => {
      const end = each.startsWith(`${name}.`) ? each.slice(name.length + 1) : '';
      return /^[1-9]\d{0,2}$/.test(end) ? [{ path: join(dirname(path), each), number: Number(end) }] : [];
    })
    .sort((one, other) => one.number - other.number);
}

/** Removes what is too old, and what an earlier configuration allowed beyond the count of today. */
function removeOld(path: string, { files, maxAgeDays }: LogFileLimits, nowMs: number): void {
  for (const aside of filesAside(path)) {
    const isOld = nowMs - statSync(aside.path).mtimeMs >= maxAgeDays * DAY_MS;
    if (isOld || aside.number >= files) remove(aside.path);
  }
}

/** Makes room under the name of the file: each one aside gets the next number, and the last one goes. */
function putAside(path: string, files: number): void {
  // Another process has removed it.
  if (!existsSync(path)) return;
  const aside = filesAside(path);
  for (const { path: each, number } of [...aside].reverse()) {
    if (number + 1 >= files) remove(each);
    else renameSync(each, `${path}.${number + 1}`);
  }
  if (files > 1) renameSync(path, `${path}.1`);
  else remove(path);
}
