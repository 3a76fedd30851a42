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
  for (const term of distinct) {
    const [first, second] = hashesOf(term);
    for (let at = 0; at < HASHES; at += 1) {
      const bit = bitOf(first, second, at, bytes.length * 8);
      bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | (1 << (bit & 7));
    }
  }
  return bytes.toString('base64');
}

/**
 * A test of filters, as bytes: whether one may have been made of all of these terms, each of them one of several. Pure.
 * @param wanted none: every filter may
 */
export function filterTest(wanted: readonly (readonly string[])[]): (filter: Uint8Array) => boolean {
  const hashed = wanted.map((anyOf) => anyOf.map(hashesOf));
  return (filter) => hashed.every((anyOf) => anyOf.some((hashes) => has(filter, hashes)));
}

function has(filter: Uint8Array, [first, second]: Hashes): boolean {
  const bits = filter.length * 8;
  for (let at = 0; at < HASHES; at += 1) {
    const bit = bitOf(first, second, at, bits);
    if (((filter[bit >> 3] ?? 0) & (1 << (bit & 7))) === 0) return false;
  }
  return true;
}

/** Two hashes of a term, of which all of its bits follow (Kirsch and Mitzenmacher 2006). */
type Hashes = readonly [first: number, second: number];

function hashesOf(term: string): Hashes {
  return [hashOf(term, 0x811c9dc5), hashOf(term, 0x9747b28c) | 1];
}

function bitOf(first: number, second: number, at: number, bits: number): number {
  return ((first + Math.imul(at, second)) >>> 0) % bits;
}

/** FNV-1a, with its bits mixed at the end (MurmurHash3). */
function hashOf(text: string, seed: number): number {
  let hash = seed;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
