import { UpdateError } from '../base/update-error.js';

/** What stands in an archive: a folder, or a file whose bytes follow. */
export interface TarMember {
  readonly path: string;
  readonly kind: 'file' | 'folder';
  readonly executable: boolean;
  readonly bytes: number;
}

/** What a reader hands on, in the order of the archive. */
export interface TarSink {
  begin(member: TarMember): void;
  /** A piece of the file that was begun last. */
  piece(bytes: Uint8Array): void;
}

const BLOCK = 512;
/** Longest extended header: it has a path alone. */
const MAX_EXTENDED_BYTES = 4_096;
const MAX_FILE_BYTES = 1_024 * 1_024 * 1_024;
/** Bits of the owner, who alone may write. */
const EXECUTE = 0o100;

/**
 * Reads a tar archive (POSIX.1-2001, ustar and pax) piece by piece. It takes files and folders with relative paths, and nothing else: no link,
 * no device, no path that leads out.
 */
export class TarReader {
  readonly #sink: TarSink;
  #rest: Buffer = Buffer.alloc(0);
  /** Bytes of the member that are still to come, and blanks behind them. */
  #open = { bytes: 0, blanks: 0, isExtended: false };
  #extended = '';
  /** The path that an extended header gave to the next member. */
  #longPath: string | undefined;
  #isEnded = false;

  constructor(sink: TarSink) {
    this.#sink = sink;
  }

  /** @throws UpdateError for what is no such archive */
  push(bytes: Uint8Array): void {
    let at: Buffer = this.#rest.length > 0 ? Buffer.concat([this.#rest, bytes]) : Buffer.from(bytes);
    while (at.length > 0 && !this.#isEnded) {
      const open = this.#open;
      if (open.bytes > 0) {
        const piece = at.subarray(0, open.bytes);
        this.#take(piece);
        this.#open = { ...open, bytes: open.bytes - piece.length };
        at = at.subarray(piece.length);
        continue;
      }
      if (open.blanks > 0) {
        const count = Math.min(open.blanks, at.length);
        this.#open = { ...open, blanks: open.blanks - count };
        at = at.subarray(count);
        continue;
      }
      if (at.length < BLOCK) break;
      this.#header(at.subarray(0, BLOCK));
      at = at.subarray(BLOCK);
    }
    this.#rest = this.#isEnded ? Buffer.alloc(0) : Buffer.from(at);
  }

  /** @throws UpdateError where the archive ends too early */
  end(): void {
    if (!this.#isEnded) throw new UpdateError('the archive ends in the middle');
  }

  #take(piece: Buffer): void {
    if (this.#open.isExtended) this.#extended += piece.toString('latin1');
    else this.#sink.piece(piece);
  }

  #header(block: Buffer): void {
    if (this.#extended !== '') {
      this.#longPath = pathOfExtended(Buffer.from(this.#extended, 'latin1').toString('utf8'));
      this.#extended = '';
    }
    if (block.every((byte) => byte === 0)) {
      this.#isEnded = true;
      return;
    }
    if (octal(block, 148, 8) !== checksum(block)) throw new UpdateError('a header of the archive is damaged');
    const bytes = octal(block, 124, 12);
    if (bytes > MAX_FILE_BYTES) throw new UpdateError('a file of the archive is too long');
    const type = String.fromCharCode(block[156] ?? 0);
    const blanks = (BLOCK - (bytes % BLOCK)) % BLOCK;
    if (type === 'x') {
      if (bytes === 0 || bytes > MAX_EXTENDED_BYTES)
        throw new UpdateError('an extended header of the archive has no length that is allowed');
      this.#open = { bytes, blanks, isExtended: true };
      return;
    }
    const path = safePath(this.#longPath ?? shortPath(block));
    this.#longPath = undefined;
    const kind = kindOf(type, path);
    if (kind === 'folder' && bytes > 0) throw new UpdateError(`folder ${path} of the archive has bytes`);
    this.#open = { bytes, blanks, isExtended: false };
    this.#sink.begin({ path, kind, executable: (octal(block, 100, 8) & EXECUTE) !== 0, bytes });
  }
}

function kindOf(type: string, path: string): TarMember['kind'] {
  if (type === '0' || type === '\0') return 'file';
  if (type === '5') return 'folder';
  throw new UpdateError(`${path} of the archive is neither a file nor a folder`);
}

function shortPath(block: Buffer): string {
  const prefix = text(block, 345, 155);
  const name = text(block, 0, 100);
  return prefix === '' ? name : `${prefix}/${name}`;
}

/** `LENGTH path=VALUE\n` of the records of an extended header; the others say nothing that is needed. */
function pathOfExtended(records: string): string | undefined {
  return /(?:^|\n)\d+ path=([^\n]*)\n/.exec(records)?.[1];
}

function safePath(path: string): string {
  const parts = path.replace(/\/$/, '').split('/');
  const isSafe = parts.every(
    (part) => part !== '' && part !== '.' && part !== '..' && !/[\p{C}\\]/u.test(part),
  );
  if (isSafe && path.length <= 1_000) return parts.join('/');
  throw new UpdateError('the archive has a path that leads out, or is none');
}

function text(block: Buffer, at: number, length: number): string {
  const field = block.subarray(at, at + length);
  const end = field.indexOf(0);
  return field.subarray(0, end < 0 ? length : end).toString('utf8');
}

function octal(block: Buffer, at: number, length: number): number {
  const digits = text(block, at, length).trim();
  if (!/^[0-7]{1,11}$/.test(digits)) throw new UpdateError('a number in a header of the archive is none');
  return Number.parseInt(digits, 8);
}

/** Of all bytes, those of the sum itself as blanks. */
function checksum(block: Buffer): number {
  return block.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 0x20 : byte), 0);
}
