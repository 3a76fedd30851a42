import { ZERO_AES_BLOCK } from './aes.js';
import { CryptoError } from './errors.js';
import { aesCmac } from './mac.js';
import { tdesEncryptEcb, ZERO_BLOCK } from './tdes.js';

/** How a key check value is made: TDES over eight zero bytes, or AES-CMAC over sixteen. */
export type KcvMethod = 'tdesZeroBlock' | 'aesCmacZeroBlock';

/** Default bytes of a check value. */
export const KCV_BYTES = 3;

/**
 * The leading bytes of the check value of a key.
 * @throws CryptoError badKeyLength, badArgument
 */
export function kcv(method: KcvMethod, key: Uint8Array, bytes: number = KCV_BYTES): Buffer {
  const full = method === 'tdesZeroBlock' ? tdesEncryptEcb(key, ZERO_BLOCK) : aesCmac(key, ZERO_AES_BLOCK);
  if (!Number.isInteger(bytes) || bytes < 1 || bytes > full.length) {
    throw new CryptoError('badArgument', `a check value of this key has 1 to ${full.length} bytes`);
  }
  return full.subarray(0, bytes);
}

/** The check value of a TDES key (first three bytes of the key over zeros). */
export function tdesKcv(key: Uint8Array, bytes: number = KCV_BYTES): Buffer {
  return kcv('tdesZeroBlock', key, bytes);
}

/** The check value of an AES key (first three bytes of its CMAC over zeros). */
export function aesKcv(key: Uint8Array, bytes: number = KCV_BYTES): Buffer {
  return kcv('aesCmacZeroBlock', key, bytes);
}
