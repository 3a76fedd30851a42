import { hash } from 'node:crypto';
import { leafBytes, nodeBytes, saleTagBytes } from './digest-bytes.js';

/** The node above two others of a journal's digest tree. */
export function nodeDigest(left: Uint8Array, right: Uint8Array): Uint8Array {
  return sha256(nodeBytes(left, right));
}

/** The tag of a row with its sale; the reference is empty for rows of no sale. */
export function saleTag(rowHash: Uint8Array, reference: string): Uint8Array {
  return sha256(saleTagBytes(rowHash, reference));
}

/** The leaf of a row in the digest tree of its journal. */
export function leafDigest(rowHash: Uint8Array, reference: string): Uint8Array {
  return sha256(leafBytes(rowHash, saleTag(rowHash, reference)));
}

function sha256(bytes: Uint8Array): Uint8Array {
  return hash('sha256', bytes, 'buffer');
}
