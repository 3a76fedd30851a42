import { ByteSealer } from './sealed-bytes.js';

/** A blob was changed, belongs to another message, or was encrypted under another key. */
export class BlobError extends Error {
  override readonly name = 'BlobError';
}

/** Encrypts the journal's sensitive bytes, each blob bound to its message id. */
export class BlobCipher extends ByteSealer {
  /** Nonce, tag and ciphertext in one. */
  seal(messageId: string, clear: Uint8Array): Buffer {
    return this.sealBytes(messageId, clear);
  }

  /** @throws BlobError */
  open(messageId: string, sealed: Uint8Array): Buffer {
    const clear = this.openBytes(messageId, sealed);
    if (!clear) throw new BlobError('blob does not match its message or the key file');
    return clear;
  }
}
