/** Something that a process did to a file of its folder; `name` is the file's, empty for the folder itself. */
export type DiskDeed =
  | { readonly kind: 'write'; readonly name: string; readonly offset: number; readonly bytes: Buffer }
  | { readonly kind: 'truncate'; readonly name: string; readonly size: number }
  | { readonly kind: 'unlink'; readonly name: string }
  | { readonly kind: 'sync'; readonly name: string };

/** The file of a folder into which the process notes which commit was acknowledged: it is no part of the disk. */
export const MARKS_FILE = 'acknowledged.marks';

/** An entry of the record: a deed, or the number of the newest acknowledged commit. */
export type LogEntry = DiskDeed | { readonly kind: 'acknowledged'; readonly commits: number };

/** The record is cut off, or has an entry that the model of the disk does not know. */
export class DiskLogError extends Error {
  override readonly name = 'DiskLogError';
}

/** Bytes in front of name and content: kind, length of the name, offset, length of the content (see disk-log.c). */
const HEADER_BYTES = 15;

/** Files that are shared memory: SQLite rebuilds them after a power cut, whatever they contain. */
function isSharedMemory(name: string): boolean {
  return name.endsWith('-shm');
}

/** Reads what the preloaded library wrote down. @throws DiskLogError */
export function readDiskLog(record: Buffer): readonly LogEntry[] {
  const entries: LogEntry[] = [];
  for (let at = 0; at < record.length; ) {
    if (at + HEADER_BYTES > record.length) throw new DiskLogError(`the record is cut off at byte ${at}`);
    const nameLength = record.readUInt16LE(at + 1);
    const end = at + HEADER_BYTES + nameLength + record.readUInt32LE(at + 11);
    if (end > record.length) throw new DiskLogError(`the record is cut off at byte ${at}`);
    const name = record.toString('utf8', at + HEADER_BYTES, at + HEADER_BYTES + nameLength);
    const content = record.subarray(at + HEADER_BYTES + nameLength, end);
    const number = Number(record.readBigUInt64LE(at + 3));
    if (!isSharedMemory(name)) entries.push(entryOf(record.readUInt8(at), name, number, content));
    at = end;
  }
  return entries;
}

function entryOf(kind: number, name: string, number: number, content: Buffer): LogEntry {
  switch (kind) {
    case 1:
      if (name !== MARKS_FILE) return { kind: 'write', name, offset: number, bytes: content };
      return { kind: 'acknowledged', commits: Number(content.toString('utf8')) };
    case 2:
      return { kind: 'truncate', name, size: number };
    case 3:
      return { kind: 'unlink', name };
    case 4:
      return { kind: 'sync', name };
    default:
      throw new DiskLogError(
        `${content.toString('utf8')} of ${name}: the model of the disk does not know it`,
      );
  }
}
