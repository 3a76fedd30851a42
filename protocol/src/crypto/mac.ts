import { equalConstantTime, wipe } from '../bytes.js';
import { AES_BLOCK_BYTES, aesEncryptCbc, aesEncryptEcb, ZERO_AES_BLOCK } from './aes.js';
import { CryptoError } from './errors.js';
import { type MacPadding, padForMac } from './padding.js';
import { DES_BLOCK_BYTES, tdesDecryptEcb, tdesEncryptCbc, tdesEncryptEcb, ZERO_BLOCK } from './tdes.js';

/**
 * ISO/IEC 9797-1 MAC algorithm 1 with TDES: the last block of a CBC encipherment. Eight bytes, not truncated.
 * @throws CryptoError badKeyLength
 */
export function iso9797Algorithm1(key: Uint8Array, data: Uint8Array, padding: MacPadding): Buffer {
  const chained = tdesEncryptCbc(key, ZERO_BLOCK, padForMac(data, padding, DES_BLOCK_BYTES));
  return chained.subarray(-DES_BLOCK_BYTES);
}

/**
 * ISO/IEC 9797-1 MAC algorithm 3 ("retail MAC", EMV Book 2 A1.2.1): CBC-MAC under the first key, the last block deciphered
 * under the second and enciphered under the first again. Eight bytes, not truncated.
 * @throws CryptoError badKeyLength
 */
export function iso9797Algorithm3(
  key1: Uint8Array,
  key2: Uint8Array,
  data: Uint8Array,
  padding: MacPadding,
): Buffer {
  const chained = iso9797Algorithm1(key1, data, padding);
  return tdesEncryptEcb(key1, tdesDecryptEcb(key2, chained));
}

/**
 * Algorithm 3 with the halves of one 16-byte key.
 * @throws CryptoError badKeyLength
 */
export function retailMac(key: Uint8Array, data: Uint8Array, padding: MacPadding): Buffer {
  if (key.length !== 16) throw new CryptoError('badKeyLength', `${key.length} bytes, expected 16`);
  // The final decipher-encipher pair with single keys equals one TDES step over the last block.
  const padded = padForMac(data, padding, DES_BLOCK_BYTES);
  const last = padded.length - DES_BLOCK_BYTES;
  const left = key.subarray(0, 8);
  const before =
    last === 0
      ? ZERO_BLOCK
      : tdesEncryptCbc(left, ZERO_BLOCK, padded.subarray(0, last)).subarray(-DES_BLOCK_BYTES);
  return tdesEncryptCbc(key, before, padded.subarray(last));
}

/**
 * CMAC with AES (NIST SP 800-38B, RFC 4493). Sixteen bytes, not truncated.
 * @throws CryptoError badKeyLength
 */
export function aesCmac(key: Uint8Array, data: Uint8Array): Buffer {
  const subkeyBase = aesEncryptEcb(key, ZERO_AES_BLOCK);
  const prepared = cmacInput(data, subkeyBase, AES_BLOCK_BYTES, 0x87);
  return aesEncryptCbc(key, ZERO_AES_BLOCK, prepared).subarray(-AES_BLOCK_BYTES);
}

/**
 * CMAC with TDES (NIST SP 800-38B). Eight bytes, not truncated.
 * @throws CryptoError badKeyLength
 */
export function tdesCmac(key: Uint8Array, data: Uint8Array): Buffer {
  const subkeyBase = tdesEncryptEcb(key, ZERO_BLOCK);
  const prepared = cmacInput(data, subkeyBase, DES_BLOCK_BYTES, 0x1b);
  return tdesEncryptCbc(key, ZERO_BLOCK, prepared).subarray(-DES_BLOCK_BYTES);
}

/** Whether two MACs are the same, in a time that tells nothing of where they differ. */
export function macEquals(a: Uint8Array, b: Uint8Array): boolean {
  return equalConstantTime(a, b);
}

/** The data with its last block masked by the right subkey (SP 800-38B §6.2). */
function cmacInput(data: Uint8Array, base: Uint8Array, blockBytes: number, reduction: number): Buffer {
  const k1 = doubled(base, reduction);
  const complete = data.length > 0 && data.length % blockBytes === 0;
  const mask = complete ? k1 : doubled(k1, reduction);
  const padded = complete ? Buffer.from(data) : padForMac(data, 'iso9797Method2', blockBytes);
  const offset = padded.length - blockBytes;
  for (let i = 0; i < blockBytes; i += 1) padded[offset + i] = (padded[offset + i] ?? 0) ^ (mask[i] ?? 0);
  wipe(k1, mask);
  return padded;
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
