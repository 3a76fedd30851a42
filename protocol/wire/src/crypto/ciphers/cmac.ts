import { wipe } from '../../bytes.js';
import { EcbEncryptor } from './ecb-encryptor.js';
import { padBit } from './padding.js';

/** What the subkeys are reduced by (NIST SP 800-38B §5.3). */
const REDUCTION: Readonly<Record<8 | 16, number>> = { 8: 0x1b, 16: 0x87 };

/** A key ready to make CMACs (NIST SP 800-38B, RFC 4493). Dispose of it when done. */
export class CmacKey {
  readonly #encryptor: EcbEncryptor;
  readonly #completeMask: Buffer;
  readonly #paddedMask: Buffer;

  private constructor(encryptor: EcbEncryptor) {
    this.#encryptor = encryptor;
    const base = encryptor.encrypt(new Uint8Array(encryptor.blockBytes));
    this.#completeMask = doubled(base, REDUCTION[encryptor.blockBytes]);
    this.#paddedMask = doubled(this.#completeMask, REDUCTION[encryptor.blockBytes]);
    wipe(base);
  }

  /**
   * @param key 16, 24 or 32 bytes
   * @throws CryptoError badKeyLength
   */
  static aes(key: Uint8Array): CmacKey {
    return new CmacKey(EcbEncryptor.aes(key));
  }

  /**
   * @param key 8, 16 or 24 bytes
   * @throws CryptoError badKeyLength
   */
  static tdes(key: Uint8Array): CmacKey {
    return new CmacKey(EcbEncryptor.tdes(key));
  }

  /** The MAC, one block long, not truncated. */
  mac(data: Uint8Array): Buffer {
    const size = this.#encryptor.blockBytes;
    const isComplete = data.length > 0 && data.length % size === 0;
    const prepared = isComplete ? Buffer.from(data) : padBit(data, size);
    xorAt(prepared, prepared.length - size, isComplete ? this.#completeMask : this.#paddedMask);
    let state = this.#encryptor.encrypt(prepared.subarray(0, size));
    for (let at = size; at < prepared.length; at += size) {
      xorAt(prepared, at, state);
      state = this.#encryptor.encrypt(prepared.subarray(at, at + size));
    }
    wipe(prepared);
    return state;
  }

  /** Ends the use of the key and wipes what was derived from it. */
  dispose(): void {
    this.#encryptor.dispose();
    wipe(this.#completeMask, this.#paddedMask);
  }
}

function xorAt(target: Buffer, at: number, mask: Uint8Array): void {
  for (let i = 0; i < mask.length; i += 1) target[at + i] = (target[at + i] ?? 0) ^ (mask[i] ?? 0);
}

/** Multiplication by x in GF(2^n), without a branch on secret bits. */
function doubled(value: Uint8Array, reduction: number): Buffer {
  const out = Buffer.alloc(value.length);
  let carry = 0;
  for (let i = value.length - 1; i >= 0; i -= 1) {
    const byte = value[i] ?? 0;
    out[i] = ((byte << 1) | carry) & 0xff;
    carry = byte >>> 7;
  }
  const last = value.length - 1;
  out[last] = (out[last] ?? 0) ^ (reduction & -carry);
  return out;
}
