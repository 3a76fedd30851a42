import { createCipheriv, createDecipheriv } from 'node:crypto';
import { blockModes } from './block-modes.js';
import { CryptoError } from './errors.js';

/** Bytes of an AES block. */
export const AES_BLOCK_BYTES = 16;

/** Sixteen zero bytes. */
export const ZERO_AES_BLOCK = new Uint8Array(AES_BLOCK_BYTES);

/** Names of the runtime's ciphers by key length: a name that is put together at every call costs some percent of it. */
const ECB: Readonly<Record<number, string>> = { 16: 'aes-128-ecb', 24: 'aes-192-ecb', 32: 'aes-256-ecb' };
const CBC: Readonly<Record<number, string>> = { 16: 'aes-128-cbc', 24: 'aes-192-cbc', 32: 'aes-256-cbc' };

function nameOf(key: Uint8Array, iv: Uint8Array | null, data: Uint8Array): string {
  const name = (iv === null ? ECB : CBC)[key.length];
  if (name === undefined) {
    throw new CryptoError('badKeyLength', `${key.length} bytes, expected 16, 24 or 32`);
  }
  if (data.length % AES_BLOCK_BYTES !== 0) {
    throw new CryptoError('badDataLength', `${data.length} bytes, block is ${AES_BLOCK_BYTES}`);
  }
  if (iv !== null && iv.length !== AES_BLOCK_BYTES)
    throw new CryptoError('badIv', `${iv.length} bytes, expected 16`);
  return name;
}

/** Padding stays switched on: it would be added by `final` alone, which is never called, and whole blocks come out at once. */
function encrypt(key: Uint8Array, iv: Uint8Array | null, data: Uint8Array): Buffer {
  return createCipheriv(nameOf(key, iv, data), key, iv).update(data);
}

function decrypt(key: Uint8Array, iv: Uint8Array | null, data: Uint8Array): Buffer {
  const cipher = createDecipheriv(nameOf(key, iv, data), key, iv);
  cipher.setAutoPadding(false);
  return cipher.update(data);
}

/** AES on blocks of 16 bytes (key 16, 24 or 32 bytes). */
export const {
  encryptEcb: aesEncryptEcb,
  decryptEcb: aesDecryptEcb,
  encryptCbc: aesEncryptCbc,
  decryptCbc: aesDecryptCbc,
} = blockModes(encrypt, decrypt);
