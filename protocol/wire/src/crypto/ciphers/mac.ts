import { CmacKey } from './cmac.js';
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
  return cmacOnce(CmacKey.aes(key), data);
}

/**
 * CMAC with TDES (NIST SP 800-38B). Eight bytes, not truncated.
 * @throws CryptoError badKeyLength
 */
export function tdesCmac(key: Uint8Array, data: Uint8Array): Buffer {
  return cmacOnce(CmacKey.tdes(key), data);
}

function cmacOnce(key: CmacKey, data: Uint8Array): Buffer {
  try {
    return key.mac(data);
  } finally {
    key.dispose();
  }
}
