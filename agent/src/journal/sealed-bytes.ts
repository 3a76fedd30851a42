import { CryptoError } from '@tillbridge/protocol/crypto/ciphers/errors.js';
import { GCM_IV_BYTES, GCM_TAG_BYTES, gcmOpen, gcmSeal } from '@tillbridge/protocol/crypto/ciphers/gcm.js';
import type { Random } from '@tillbridge/protocol/seams/random.js';

const TAG_END = GCM_IV_BYTES + GCM_TAG_BYTES;

/** Seals bytes with AES-256-GCM under a fresh nonce, bound to a text: nonce, tag and ciphertext in one. */
export function sealBytes(key: Uint8Array, random: Random, boundTo: string, clear: Uint8Array): Buffer {
  const nonce = random.bytes(GCM_IV_BYTES);
  const { ciphertext, tag } = gcmSeal(key, nonce, Buffer.from(boundTo, 'utf8'), clear);
  return Buffer.concat([nonce, tag, ciphertext]);
}

/** Opens what {@link sealBytes} sealed; `undefined` for other bytes, another key or another text. */
export function openBytes(key: Uint8Array, boundTo: string, sealed: Uint8Array): Buffer | undefined {
  const tag = sealed.subarray(GCM_IV_BYTES, TAG_END);
  const nonce = sealed.subarray(0, GCM_IV_BYTES);
  try {
    return gcmOpen(key, nonce, Buffer.from(boundTo, 'utf8'), { tag, ciphertext: sealed.subarray(TAG_END) });
  } catch (error) {
    if (error instanceof CryptoError) return undefined;
    throw error;
  }
}
