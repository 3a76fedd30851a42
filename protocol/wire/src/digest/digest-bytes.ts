import { joined } from '../join-bytes.js';

/** What the digest tree of a journal hashes, each with SHA-256. The first byte keeps the kinds apart (RFC 6962 §2.1: 0 leaf, 1 node). */
const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);
const SALE_TAG = Uint8Array.of(2);

/** Bytes of each hash. */
export const DIGEST_BYTES = 32;

/**
 * Bytes whose hash tags a row with its sale without telling the reference: of another sale's row the tag alone is shown. The hash of the
 * row in front of the reference makes the tags of one sale differ.
 */
export function saleTagBytes(rowHash: Uint8Array, reference: string): Uint8Array {
  return joined(SALE_TAG, rowHash, new TextEncoder().encode(reference));
}

/** Bytes whose hash is the leaf of a row: its hash in the chain, and its sale's tag. */
export function leafBytes(rowHash: Uint8Array, saleTag: Uint8Array): Uint8Array {
  return joined(LEAF, rowHash, saleTag);
}

/** Bytes whose hash is the node above two others. */
export function nodeBytes(left: Uint8Array, right: Uint8Array): Uint8Array {
  return joined(NODE, left, right);
}
