import { TerminalFormatError } from '../format-error.js';

/** Where an account in the enhanced encrypted format comes from: a magstripe, or the keys. */
export type MagstripeSource = 'magstripe' | 'keyed';

/**
 * A magstripe in the enhanced encrypted format, tag DFEE23 (encrypted data output formats, 80000502-001); or a card number that was
 * keyed in, which stands there as a track 2 of number and expiry (published samples).
 */
export interface MagstripeData {
  readonly source: MagstripeSource;
  /** Masked tracks 1 to 3 as text; undefined for one that was not read or not sent. */
  readonly masked: readonly [string | undefined, string | undefined, string | undefined];
  /** Enciphered tracks 1 to 3, whole cipher blocks. */
  readonly encrypted: readonly [Uint8Array | undefined, Uint8Array | undefined, Uint8Array | undefined];
  readonly cipher: 'tdes' | 'aes';
  /** Ten characters. */
  readonly serial?: string;
  /** Ten or twelve bytes. */
  readonly ksn?: Uint8Array;
}

const STX = 0x02;
const ETX = 0x03;
/** First byte, the card encode type: ISO format or keyed in, enhanced structure. */
const ENCODE_TYPES: Readonly<Record<MagstripeSource, number>> = { magstripe: 0x80, keyed: 0xc0 };
/** Second byte of what was keyed in: every track well, and track 2 was there. */
const KEYED_STATUS = 0x17;
const HEAD_BYTES = 7;
const AROUND_BYTES = 3 + 3;
const TRACKS = 3;
/** Bits of the byte for the clear or masked fields that follow. */
const AES_BIT = 0x10;
const SERIAL_BIT = 0x80;
/** Bits of the byte for the enciphered fields that follow: tracks, their hashes, a session, the KSN. */
const HASH_SHIFT = 3;
const SESSION_BIT = 0x40;
const KSN_BIT = 0x80;
const HASH_BYTES = 20;
const SESSION_BYTES = 8;
const SERIAL_BYTES = 10;
/** A KSN of a TDES DUKPT key, and of an AES one. It is the last field, and takes what is left. */
const KSN_BYTES: readonly number[] = [10, 12];
const BLOCK_BYTES = { tdes: 8, aes: 16 } as const;

type Three<T> = readonly [T, T, T];

function three<T>(make: (index: number) => T): Three<T> {
  return [make(0), make(1), make(2)];
}

function sums(body: Uint8Array): { readonly lrc: number; readonly sum: number } {
  let lrc = 0;
  let sum = 0;
  for (const byte of body) {
    lrc ^= byte;
    sum = (sum + byte) & 0xff;
  }
  return { lrc, sum };
}

function flags(present: readonly unknown[], shift = 0): number {
  return present.reduce<number>(
    (bits, value, index) => bits | (value === undefined ? 0 : 1 << (index + shift)),
    0,
  );
}

/**
 * Writes the value of DFEE23: without hashes for a magstripe, with a hash of zeros for what was keyed in (published samples).
 * @param clearLengths characters of each track, needed for the enciphered ones
 */
export function encodeMagstripeData(data: MagstripeData, clearLengths: Three<number>): Buffer {
  const { source, masked, encrypted, cipher, serial, ksn } = data;
  const hashed = source === 'keyed' ? encrypted : [];
  const clearFlags =
    flags(masked) | (cipher === 'aes' ? AES_BIT : 0) | (serial === undefined ? 0 : SERIAL_BIT);
  const cipherFlags = flags(encrypted) | flags(hashed, HASH_SHIFT) | (ksn ? KSN_BIT : 0);
  const status = source === 'keyed' ? KEYED_STATUS : flags(encrypted);
  const body = Buffer.concat([
    Buffer.of(ENCODE_TYPES[source], status, ...clearLengths, clearFlags, cipherFlags),
    ...masked.map((track) => Buffer.from(track ?? '', 'latin1')),
    ...encrypted.map((track) => track ?? Buffer.alloc(0)),
    ...hashed.map((track) => Buffer.alloc(track ? HASH_BYTES : 0)),
    Buffer.from((serial ?? '').padEnd(serial === undefined ? 0 : SERIAL_BYTES, '\0'), 'latin1'),
    ksn ?? Buffer.alloc(0),
  ]);
  const { lrc, sum } = sums(body);
  const length = Buffer.alloc(2);
  length.writeUInt16LE(body.length);
  return Buffer.concat([Buffer.of(STX), length, body, Buffer.of(lrc, sum, ETX)]);
}

/** Reads the value of DFEE23. @throws TerminalFormatError */
export function decodeMagstripeData(value: Uint8Array): MagstripeData {
  const body = bodyOf(Buffer.from(value));
  const [type, , length1 = 0, length2 = 0, length3 = 0, clearFlags = 0, cipherFlags = 0] = body;
  const lengths = [length1, length2, length3] as const;
  const cipher = (clearFlags & AES_BIT) !== 0 ? 'aes' : 'tdes';
  let at = HEAD_BYTES;
  const take = (count: number): Buffer => {
    const end = at + count;
    if (end > body.length) throw new TerminalFormatError('magstripe data', 'end before their lengths say');
    const taken = body.subarray(at, end);
    at = end;
    return taken;
  };
  const masked = three((index) =>
    (clearFlags & (1 << index)) !== 0 ? take(lengths[index] ?? 0).toString('latin1') : undefined,
  );
  const block = BLOCK_BYTES[cipher];
  const encrypted = three((index) =>
    (cipherFlags & (1 << index)) !== 0
      ? Buffer.from(take(Math.ceil((lengths[index] ?? 0) / block) * block))
      : undefined,
  );
  if ((cipherFlags & SESSION_BIT) !== 0) take(SESSION_BYTES);
  for (let index = 0; index < TRACKS; index += 1) {
    if ((cipherFlags & (1 << (index + HASH_SHIFT))) !== 0) take(HASH_BYTES);
  }
  const serial = (clearFlags & SERIAL_BIT) !== 0 ? text(take(SERIAL_BYTES)) : undefined;
  const ksn = (cipherFlags & KSN_BIT) !== 0 ? Buffer.from(take(body.length - at)) : undefined;
  if (ksn && !KSN_BYTES.includes(ksn.length)) {
    throw new TerminalFormatError(
      'magstripe data',
      `end with a KSN of ${ksn.length} bytes, must be 10 or 12`,
    );
  }
  return {
    source: type === ENCODE_TYPES.keyed ? 'keyed' : 'magstripe',
    masked,
    encrypted,
    cipher,
    ...(serial !== undefined && { serial }),
    ...(ksn && { ksn }),
  };
}

function bodyOf(value: Buffer): Buffer {
  const body = value.subarray(3, -3);
  if (value.length < AROUND_BYTES + HEAD_BYTES || value[0] !== STX || value.at(-1) !== ETX) {
    throw new TerminalFormatError('magstripe data', 'have no STX, length and ETX around them');
  }
  if (value.readUInt16LE(1) !== body.length) {
    throw new TerminalFormatError('magstripe data', `have ${body.length} bytes, which is not their length`);
  }
  const { lrc, sum } = sums(body);
  if (value.at(-3) !== lrc || value.at(-2) !== sum) {
    throw new TerminalFormatError('magstripe data', 'have a wrong check sum');
  }
  return body;
}

function text(bytes: Buffer): string {
  return bytes.toString('latin1').replace(/\0+$/, '');
}
