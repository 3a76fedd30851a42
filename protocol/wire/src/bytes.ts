import { timingSafeEqual } from 'node:crypto';

const HEX = /^(?:[0-9A-Fa-f]{2})*$/;

const HEX_OF_BYTE: readonly string[] = Array.from({ length: 256 }, (_, byte) =>
  byte.toString(16).toUpperCase().padStart(2, '0'),
);
const LOWER_HEX_OF_BYTE: readonly string[] = HEX_OF_BYTE.map((hex) => hex.toLowerCase());
/** Tags, status words and ids: so few bytes are looked up sooner than a buffer is made over them. */
const LOOKED_UP_BYTES = 16;

/** Bytes as uppercase hex. */
export function toHex(bytes: Uint8Array): string {
  if (bytes.length <= LOOKED_UP_BYTES) return lookedUp(bytes, HEX_OF_BYTE);
  return asBuffer(bytes).toString('hex').toUpperCase();
}

/** Bytes as lowercase hex. */
export function toLowerHex(bytes: Uint8Array): string {
  if (bytes.length <= LOOKED_UP_BYTES) return lookedUp(bytes, LOWER_HEX_OF_BYTE);
  return asBuffer(bytes).toString('hex');
}

function lookedUp(bytes: Uint8Array, digits: readonly string[]): string {
  let hex = '';
  for (const byte of bytes) hex += digits[byte];
  return hex;
}

function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/**
 * Bytes of a hex text of either case.
 * @throws RangeError when the text is not an even number of hex digits (the text itself is not shown: it may be a key).
 */
export function fromHex(hex: string): Buffer {
  if (!HEX.test(hex)) {
    throw new RangeError(`not hex: ${hex.length} characters, expected an even number of 0-9 A-F`);
  }
  return Buffer.from(hex, 'hex');
}

/** One array out of many. */
export function concatBytes(...parts: readonly Uint8Array[]): Buffer {
  return Buffer.concat(parts);
}

/** Texts as UTF-8, each behind its length in four bytes, so that no other list of texts gives the same bytes. */
export function lengthPrefixed(parts: readonly string[], order: 'big-endian' | 'little-endian'): Buffer {
  const bytes = Buffer.alloc(parts.reduce((sum, part) => sum + 4 + Buffer.byteLength(part), 0));
  let at = 0;
  for (const part of parts) {
    const length = bytes.write(part, at + 4);
    if (order === 'big-endian') bytes.writeUInt32BE(length, at);
    else bytes.writeUInt32LE(length, at);
    at += 4 + length;
  }
  return bytes;
}

/** Byte-wise exclusive or of two arrays of the same length. */
export function xorBytes(a: Uint8Array, b: Uint8Array): Buffer {
  if (a.length !== b.length) throw new RangeError(`xor of ${a.length} and ${b.length} bytes`);
  const out = Buffer.from(a);
  xorInto(out, b);
  return out;
}

/** Exclusive or of a mask into the target, in place. */
export function xorInto(target: Uint8Array, mask: Uint8Array): void {
  for (let i = 0; i < target.length; i += 1) target[i] = (target[i] ?? 0) ^ (mask[i] ?? 0);
}

/** Compares secrets in a time that depends on the lengths alone. */
export function equalConstantTime(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Overwrites a buffer that held a key or a PIN. */
export function wipe(...buffers: readonly Uint8Array[]): void {
  for (const buffer of buffers) buffer.fill(0);
}

/** Runs an operation on a key or a PIN, and overwrites the bytes when it ends. */
export function withSecret<S extends Uint8Array, T>(secret: S, operation: (secret: S) => T): T {
  try {
    return operation(secret);
  } finally {
    wipe(secret);
  }
}
