import { createHmac, createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto';
import { mkdirSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { readIfThere } from '@tillbridge/platform/read-file.js';
import { replaceFileAsync } from '@tillbridge/platform/write-file.js';
import { isDeviceState, type NotedEntry } from './trust-entry.js';

/** What a home has written down outside of the database. */
export interface RecordFile {
  /** Id of the database that it is about. */
  readonly database: string;
  /** Id of the home. */
  readonly home: string;
  /** The mark that the database had when this was written (`databaseMarks`). */
  readonly markMs: number;
  /** Since when it lacks nothing that was revoked or used up. */
  readonly beganMs: number;
  readonly entries: readonly NotedEntry[];
}

/** What was read: nothing where there is no file. */
type RecordRead =
  | { readonly kind: 'none' }
  | { readonly kind: 'damaged' }
  | { readonly kind: 'good'; readonly file: RecordFile };

/** Largest file that is read, in bytes: larger than any with all entries that are written (`RECORD_LIMITS`), each with the longest names. */
const MAX_BYTES = 64 * 1_048_576;
const FORMAT = 1;
/** HMAC-SHA-256 in hex, and a line feed. */
const MAC_LENGTH = 65;

/** The key of the files, made of the key of the tokens, which all homes of a database have. */
export function recordKey(tokenKey: KeyObject): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', tokenKey, '', 'restore record', 32)));
}

/** The file as bytes: a MAC and a line feed, then JSON. Pure. */
export function encodeRecord(key: KeyObject, file: RecordFile): Buffer {
  const body = Buffer.from(JSON.stringify({ format: FORMAT, ...file }));
  return Buffer.concat([Buffer.from(`${macOf(key, body)}\n`), body]);
}

/** What bytes say; undefined for any that this gateway, or another one with the same keys, has not written. Pure, and never throws. */
export function decodeRecord(key: KeyObject, bytes: Uint8Array): RecordFile | undefined {
  if (bytes.length <= MAC_LENGTH || bytes.length > MAX_BYTES) return undefined;
  const body = bytes.subarray(MAC_LENGTH);
  const wanted = Buffer.from(`${macOf(key, body)}\n`);
  if (!timingSafeEqual(wanted, bytes.subarray(0, MAC_LENGTH))) return undefined;
  return fileOf(Buffer.from(body).toString());
}

/** Authentic, but perhaps of another version. */
function fileOf(text: string): RecordFile | undefined {
  try {
    const { format, ...file } = JSON.parse(text) as RecordFile & { format: number };
    const { database, home, markMs, beganMs } = file;
    // Earlier builds wrote no time at which an entry was noted.
    const entries = file.entries.map((entry) => ({ ...entry, notedMs: entry.notedMs ?? entry.atMs }));
    const isGood =
      format === FORMAT &&
      typeof database === 'string' &&
      typeof home === 'string' &&
      [markMs, beganMs].every(Number.isSafeInteger) &&
      entries.every(isEntry);
    return isGood ? { database, home, markMs, beganMs, entries } : undefined;
  } catch {
    return undefined;
  }
}

function isEntry(entry: NotedEntry): boolean {
  if (typeof entry.id !== 'string' || ![entry.atMs, entry.notedMs].every(Number.isSafeInteger)) return false;
  switch (entry.kind) {
    case 'token':
      return true;
    case 'agent':
      return [entry.epoch, entry.generation].every(Number.isSafeInteger) && typeof entry.key === 'string';
    case 'device':
      return isDeviceState(entry.state);
    case 'counter':
      return Number.isSafeInteger(entry.counter);
    case 'link':
      return Number.isSafeInteger(entry.sequence);
    default:
      return false;
  }
}

/** Reads a file. @throws the file system's error for any reason but that there is none */
export function readRecord(path: string, key: KeyObject): RecordRead {
  const bytes = readIfThere(path);
  if (!bytes) return { kind: 'none' };
  const file = decodeRecord(key, bytes);
  return file ? { kind: 'good', file } : { kind: 'damaged' };
}

/** Writes a file; it is on disk on return. @throws the file system's error */
export async function writeRecord(path: string, key: KeyObject, file: RecordFile): Promise<void> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  await replaceFileAsync(path, encodeRecord(key, file));
}

/** Puts a damaged file aside, for a person to look at. @throws the file system's error */
export function putAside(path: string): void {
  renameSync(path, `${path}.damaged`);
}

function macOf(key: KeyObject, body: Uint8Array): string {
  return createHmac('sha256', key).update('restore record\0').update(body).digest('hex');
}
