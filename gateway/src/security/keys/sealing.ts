import type { KeyObject } from 'node:crypto';
import { lengthPrefixed } from '@tillbridge/wire/bytes.js';
import { CryptoError } from '@tillbridge/wire/crypto/ciphers/errors.js';
import { GCM_IV_BYTES, GCM_TAG_BYTES, gcmOpen, gcmSeal } from '@tillbridge/wire/crypto/ciphers/gcm.js';
import type { Random } from '@tillbridge/wire/seams/random.js';

/** First byte of every sealed blob: the layout version, then IV, tag and ciphertext. */
const LAYOUT = 1;
const HEAD_BYTES = 1 + GCM_IV_BYTES + GCM_TAG_BYTES;

/**
 * Seals bytes into one opaque blob under AES-256-GCM: layout version, IV, tag, ciphertext.
 * @param context what the blob belongs to; a blob opens in the same context only
 */
export function seal(key: KeyObject, context: Uint8Array, clear: Uint8Array, random: Random): Buffer {
  const iv = random.bytes(GCM_IV_BYTES);
  const { ciphertext, tag } = gcmSeal(key, iv, context, clear);
  return Buffer.concat([Uint8Array.of(LAYOUT), iv, tag, ciphertext]);
}

/**
 * Opens a blob of {@link seal}. The caller wipes what it gets.
 * @throws CryptoError malformed, badTag
 */
export function unseal(key: KeyObject, context: Uint8Array, blob: Uint8Array): Buffer {
  if (blob.length < HEAD_BYTES || blob[0] !== LAYOUT) throw new CryptoError('malformed', 'not a sealed blob');
  const iv = blob.subarray(1, 1 + GCM_IV_BYTES);
  const tag = blob.subarray(1 + GCM_IV_BYTES, HEAD_BYTES);
  return gcmOpen(key, iv, context, { ciphertext: blob.subarray(HEAD_BYTES), tag });
}

/** Parts as one context that no other list of parts gives: each with its length in front. */
export function contextOf(...parts: readonly string[]): Buffer {
  return lengthPrefixed(parts, 'big-endian');
}
