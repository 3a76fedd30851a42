import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto';
import { CryptoError } from '@tillbridge/protocol/crypto/errors.js';

/** Bytes of an AES-256 key. */
export const AES_256_KEY_BYTES = 32;
/** Bytes of the initial value; one value is never used twice under one key (NIST SP 800-38D §8.2). */
export const GCM_IV_BYTES = 12;
/** Bytes of the tag. Node takes shorter ones on decipherment unless told otherwise, so the length is fixed here. */
export const GCM_TAG_BYTES = 16;

const ALGORITHM = 'aes-256-gcm';

/** What enciphering gives. */
export interface GcmResult {
  readonly ciphertext: Buffer;
  /** 16 bytes. */
  readonly tag: Buffer;
}

type GcmKey = Uint8Array | KeyObject;

function requireSizes(key: GcmKey, iv: Uint8Array): void {
  const keyBytes = key instanceof Uint8Array ? key.length : key.symmetricKeySize;
  if (keyBytes !== AES_256_KEY_BYTES) throw new CryptoError('badKeyLength', `${keyBytes} bytes, expected 32`);
  if (iv.length !== GCM_IV_BYTES) throw new CryptoError('badIv', `${iv.length} bytes, expected 12`);
}

/**
 * Enciphers and authenticates (AES-256-GCM, NIST SP 800-38D).
 * @param aad data that is authenticated and not enciphered
 * @throws CryptoError badKeyLength, badIv
 */
export function gcmEncrypt(key: GcmKey, iv: Uint8Array, aad: Uint8Array, plaintext: Uint8Array): GcmResult {
  requireSizes(key, iv);
  const cipher = createCipheriv(ALGORITHM, key, iv, { authTagLength: GCM_TAG_BYTES });
  cipher.setAAD(aad);
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  return { ciphertext, tag: cipher.getAuthTag() };
}

/**
 * Checks and deciphers; nothing is given out when the tag differs.
 * @throws CryptoError badKeyLength, badIv, badTagLength, badTag
 */
export function gcmDecrypt(
  key: GcmKey,
  iv: Uint8Array,
  aad: Uint8Array,
  ciphertext: Uint8Array,
  tag: Uint8Array,
): Buffer {
  requireSizes(key, iv);
  if (tag.length !== GCM_TAG_BYTES) throw new CryptoError('badTagLength', `${tag.length} bytes`);
  const decipher = createDecipheriv(ALGORITHM, key, iv, { authTagLength: GCM_TAG_BYTES });
  decipher.setAAD(aad);
  decipher.setAuthTag(tag);
  const clear = decipher.update(ciphertext);
  try {
    return Buffer.concat([clear, decipher.final()]);
  } catch {
    clear.fill(0);
    throw new CryptoError('badTag');
  }
}
