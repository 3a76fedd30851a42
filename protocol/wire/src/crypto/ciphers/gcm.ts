import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto';
import { wipe } from '../../bytes.js';
import { CryptoError } from './errors.js';

/** Bytes of key, initial value and tag: one choice, no other length is taken. */
export const GCM_KEY_BYTES = 32;
export const GCM_IV_BYTES = 12;
export const GCM_TAG_BYTES = 16;

/** A sealed record. */
interface Sealed {
  readonly ciphertext: Buffer;
  readonly tag: Buffer;
}

/** A key as bytes, or held by the runtime so that its bytes are not in reach. */
export type GcmKey = Uint8Array | KeyObject;

function requireSizes(key: GcmKey, iv: Uint8Array): void {
  const keyBytes = key instanceof Uint8Array ? key.length : key.symmetricKeySize;
  if (keyBytes !== GCM_KEY_BYTES)
    throw new CryptoError('badKeyLength', `${keyBytes} bytes, expected ${GCM_KEY_BYTES}`);
  if (iv.length !== GCM_IV_BYTES)
    throw new CryptoError('badIv', `${iv.length} bytes, expected ${GCM_IV_BYTES}`);
}

/**
 * AES-256-GCM. An initial value may never be used twice with one key: take it from a random source or a counter.
 * @param aad associated data that the record is bound to, such as tenant and column
 * @throws CryptoError badKeyLength, badIv
 */
export function gcmSeal(key: GcmKey, iv: Uint8Array, aad: Uint8Array, plaintext: Uint8Array): Sealed {
  requireSizes(key, iv);
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: GCM_TAG_BYTES });
  cipher.setAAD(aad);
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  return { ciphertext, tag: cipher.getAuthTag() };
}

/**
 * Opens a record; nothing of it is returned unless the tag is right.
 * @throws CryptoError badTagLength, badTag, badKeyLength, badIv
 */
export function gcmOpen(
  key: GcmKey,
  iv: Uint8Array,
  aad: Uint8Array,
  { ciphertext, tag }: Readonly<Record<keyof Sealed, Uint8Array>>,
): Buffer {
  if (tag.length !== GCM_TAG_BYTES) throw new CryptoError('badTagLength', `${tag.length} bytes`);
  requireSizes(key, iv);
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: GCM_TAG_BYTES });
  decipher.setAAD(aad);
  decipher.setAuthTag(tag);
  const plaintext = decipher.update(ciphertext);
  try {
    decipher.final();
  } catch {
    wipe(plaintext);
    throw new CryptoError('badTag');
  }
  return plaintext;
}
