import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { Random } from '@tillbridge/protocol/seams/random.js';

/** AES-256. */
export const BLOB_KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A blob was changed, belongs to another message, or was encrypted under another key. */
export class BlobError extends Error {
  override readonly name = 'BlobError';
}

/** Encrypts the journal's sensitive bytes: AES-256-GCM, a fresh nonce each time, bound to their message id. */
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
    const nonce = this.#random.bytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(Buffer.from(messageId, 'utf8'));
    const sealed = Buffer.concat([cipher.update(clear), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
  }

  /** @throws BlobError */
  open(messageId: string, sealed: Uint8Array): Buffer {
    if (sealed.length < NONCE_BYTES + TAG_BYTES) throw new BlobError('blob is too short');
    const nonce = sealed.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv('aes-256-gcm', this.#key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(messageId, 'utf8'));
    decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    try {
      return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
    } catch {
      throw new BlobError('blob does not match its message or the key file');
    }
  }
}
