import type { Random } from '@tillbridge/protocol/seams/random.js';
import { openBytes, sealBytes } from './sealed-bytes.js';

/** AES-256. */
export const BLOB_KEY_BYTES = 32;

/** A blob was changed, belongs to another message, or was encrypted under another key. */
export class BlobError extends Error {
  override readonly name = 'BlobError';
}

/** Encrypts the journal's sensitive bytes, each blob bound to its message id. */
export class BlobCipher {
  readonly #key: Uint8Array;
  readonly #random: Random;

  constructor(key: Uint8Array, random: Random) {
    if (key.length !== BLOB_KEY_BYTES) throw new RangeError(`blob key must have ${BLOB_KEY_BYTES} bytes`);
    this.#key = key;
    this.#random = random;
  }

  /** Nonce, tag and ciphertext in one. */
  seal(messageId: string, clear: Uint8Array): Buffer {
    return sealBytes(this.#key, this.#random, messageId, clear);
  }

  /** @throws BlobError */
  open(messageId: string, sealed: Uint8Array): Buffer {
    const clear = openBytes(this.#key, messageId, sealed);
    if (!clear) throw new BlobError('blob does not match its message or the key file');
    return clear;
  }
}
