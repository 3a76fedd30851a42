import { createCipheriv, createDecipheriv } from 'node:crypto';
import { CryptoError } from './errors.js';

/** Bytes of an AES block. */
export const AES_BLOCK_BYTES = 16;

/** Sixteen zero bytes. */
export const ZERO_AES_BLOCK = new Uint8Array(AES_BLOCK_BYTES);

type Direction = typeof createCipheriv | typeof createDecipheriv;

function run(direction: Direction, key: Uint8Array, iv: Uint8Array | null, data: Uint8Array): Buffer {
  if (key.length !== 16 && key.length !== 24 && key.length !== 32) {
    throw new CryptoError('badKeyLength', `${key.length} bytes, expected 16, 24 or 32`);
  }
  if (data.length % AES_BLOCK_BYTES !== 0) {
    throw new CryptoError('badDataLength', `${data.length} bytes, block is ${AES_BLOCK_BYTES}`);
  }
  if (iv !== null && iv.length !== AES_BLOCK_BYTES)
    throw new CryptoError('badIv', `${iv.length} bytes, expected 16`);
  const cipher = direction(`aes-${key.length * 8}-${iv === null ? 'ecb' : 'cbc'}`, key, iv);
  cipher.setAutoPadding(false);
  return cipher.update(data);
}

/**
 * Enciphers whole 16-byte blocks, each alone (key 16, 24 or 32 bytes).
 * @throws CryptoError badKeyLength, badDataLength
 */
export function aesEncryptEcb(key: Uint8Array, data: Uint8Array): Buffer {
  return run(createCipheriv, key, null, data);
}

/**
 * Deciphers whole blocks, each alone.
 * @throws CryptoError badKeyLength, badDataLength
 */
export function aesDecryptEcb(key: Uint8Array, data: Uint8Array): Buffer {
  return run(createDecipheriv, key, null, data);
}

/**
 * Enciphers whole blocks in cipher block chaining; nothing is padded.
 * @throws CryptoError badKeyLength, badDataLength, badIv
 */
export function aesEncryptCbc(key: Uint8Array, iv: Uint8Array, data: Uint8Array): Buffer {
  return run(createCipheriv, key, iv, data);
}

/**
 * Deciphers whole blocks in cipher block chaining; no padding is removed.
 * @throws CryptoError badKeyLength, badDataLength, badIv
 */
export function aesDecryptCbc(key: Uint8Array, iv: Uint8Array, data: Uint8Array): Buffer {
  return run(createDecipheriv, key, iv, data);
}
