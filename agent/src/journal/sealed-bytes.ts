import { CryptoError } from '@tillbridge/wire/crypto/ciphers/errors.js';
import { GCM_IV_BYTES, GCM_TAG_BYTES, gcmOpen, gcmSeal } from '@tillbridge/wire/crypto/ciphers/gcm.js';
import type { Random } from '@tillbridge/wire/seams/random.js';

const TAG_END = GCM_IV_BYTES + GCM_TAG_BYTES;

/** AES-256. */
export const SEALING_KEY_BYTES = 32;

/** Seals bytes with AES-256-GCM under one key, each bound to a text. */
export abstract class ByteSealer {
  readonly #key: Uint8Array;
  readonly #random: Random;

  /** @throws RangeError when the key has not {@link SEALING_KEY_BYTES} bytes */
  constructor(key: Uint8Array, random: Random) {
    if (key.length !== SEALING_KEY_BYTES)
      throw new RangeError(`the key must have ${SEALING_KEY_BYTES} bytes`);
    this.#key = key;
    this.#random = random;
  }

  /** Nonce (fresh), tag and ciphertext in one. */
  protected sealBytes(boundTo: string, clear: Uint8Array): Buffer {
    const nonce = this.#random.bytes(GCM_IV_BYTES);
    const { ciphertext, tag } = gcmSeal(this.#key, nonce, Buffer.from(boundTo, 'utf8'), clear);
    return Buffer.concat([nonce, tag, ciphertext]);
  }

  /** What was sealed; `undefined` for other bytes, another key or another text. */
  protected openBytes(boundTo: string, sealed: Uint8Array): Buffer | undefined {
    const tag = sealed.subarray(GCM_IV_BYTES, TAG_END);
    const nonce = sealed.subarray(0, GCM_IV_BYTES);
    const ciphertext = sealed.subarray(TAG_END);
    try {
      return gcmOpen(this.#key, nonce, Buffer.from(boundTo, 'utf8'), { tag, ciphertext });
    } catch (error) {
      if (error instanceof CryptoError) return undefined;
      throw error;
    }
  }
}
