/** Bits for each term: about one term in a hundred that is not there seems to be. */
const BITS_PER_TERM = 10;
/** Bits that a term sets. */
const HASHES = 7;
/** The least filter, so that a few terms do not all look alike. */
const MIN_BYTES = 8;

/**
 * A filter that knows which terms it was made of (Bloom 1970): it never denies one of them, and seldom affirms another. Base64. Pure.
 * @param terms each once or more often
 */
export function termFilter(terms: Iterable<string>): string {
  const distinct = new Set(terms);
  const bytes = Buffer.alloc(Math.max(MIN_BYTES, Math.ceil((distinct.size * BITS_PER_TERM) / 8)));
  for (const term of distinct)
    for (const bit of bitsOf(term, bytes.length * 8))
      bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | (1 << (bit & 7));
  return bytes.toString('base64');
}

/** Whether a filter may have been made of all of these terms, each of them one of several. Pure. */
export function mayHave(filter: string, wanted: readonly (readonly string[])[]): boolean {
  if (wanted.length === 0) return true;
  const bytes = Buffer.from(filter, 'base64');
  return wanted.every((anyOf) => anyOf.some((term) => has(bytes, term)));
}

function has(bytes: Buffer, term: string): boolean {
  for (const bit of bitsOf(term, bytes.length * 8))
    if (((bytes[bit >> 3] ?? 0) & (1 << (bit & 7))) === 0) return false;
  return true;
}

/** The places of a term's bits, by two hashes (Kirsch and Mitzenmacher 2006). */
function bitsOf(term: string, bits: number): number[] {
  const first = hashOf(term, 0x811c9dc5);
  const second = hashOf(term, 0x9747b28c) | 1;
  return Array.from({ length: HASHES }, (_none, at) => ((first + Math.imul(at, second)) >>> 0) % bits);
}

/** FNV-1a, with its bits mixed at the end (MurmurHash3). */
function hashOf(text: string, seed: number): number {
  let hash = seed;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
