import { concatBytes } from '../bytes.js';

/** A part of what is signed. */
export type CanonicalPart = Uint8Array | string | number | readonly CanonicalPart[];

/**
 * The bytes under a signature: each part behind its length in four bytes, big endian; a list behind the number of its parts. Of
 * two lists of one shape that differ the bytes differ, too.
 */
export function canonicalBytes(parts: readonly CanonicalPart[]): Uint8Array {
  return concatBytes(...parts.flatMap(encoded));
}

function encoded(part: CanonicalPart): readonly Uint8Array[] {
  if (part instanceof Uint8Array) return [count(part.length), part];
  if (typeof part === 'object') return [count(part.length), ...part.flatMap(encoded)];
  return encoded(Buffer.from(String(part)));
}

function count(value: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
