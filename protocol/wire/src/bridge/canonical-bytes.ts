import { joined } from '../join-bytes.js';

/** A part of what is signed. */
export type CanonicalPart = Uint8Array | string | number | readonly CanonicalPart[];

/**
 * The bytes under a signature, for a browser, too: each part behind its length in four bytes, big endian; a list behind the number of its parts. Of
 * two lists of one shape that differ the bytes differ, too.
 */
export function canonicalBytes(parts: readonly CanonicalPart[]): Uint8Array {
  return joined(...parts.flatMap(encoded));
}

function encoded(part: CanonicalPart): readonly Uint8Array[] {
  if (part instanceof Uint8Array) return [count(part.length), part];
  if (typeof part === 'object') return [count(part.length), ...part.flatMap(encoded)];
  return encoded(new TextEncoder().encode(String(part)));
}

function count(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}
