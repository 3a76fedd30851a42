import { createCipheriv, createDecipheriv } from 'node:crypto';
import { wipe } from '../../bytes.js';
import { blockModes } from './block-modes.js';
import { CryptoError } from './errors.js';

/** Bytes of a DES block. */
export const DES_BLOCK_BYTES = 8;

/** Eight zero bytes: the initial value wherever payment standards say "zero IV". */
export const ZERO_BLOCK = new Uint8Array(DES_BLOCK_BYTES);

/**
 * The 24-byte form of a key: 8 bytes as K‖K‖K (single DES), 16 as K1‖K2‖K1, 24 as they are. Single DES itself is
 * switched off in OpenSSL 3, the threefold key gives the same result.
 * @throws CryptoError badKeyLength
 */
export function expandTdesKey(key: Uint8Array): Buffer {
  if (key.length === 24) return Buffer.from(key);
  if (key.length === 16) return Buffer.concat([key, key.subarray(0, 8)]);
  if (key.length === 8) return Buffer.concat([key, key, key]);
  throw new CryptoError('badKeyLength', `${key.length} bytes, expected 8, 16 or 24`);
}

function requireBlocks(data: Uint8Array): void {
  if (data.length % DES_BLOCK_BYTES !== 0) {
    throw new CryptoError('badDataLength', `${data.length} bytes, block is ${DES_BLOCK_BYTES}`);
  }
}

function requireIv(iv: Uint8Array | null): void {
  if (iv !== null && iv.length !== DES_BLOCK_BYTES)
    throw new CryptoError('badIv', `${iv.length} bytes, expected 8`);
}

/** Padding stays switched on: it would be added by `final` alone, which is never called, and whole blocks come out at once. */
function encrypt(key: Uint8Array, iv: Uint8Array | null, data: Uint8Array): Buffer {
  requireBlocks(data);
  requireIv(iv);
  const fullKey = expandTdesKey(key);
  try {
    return createCipheriv(iv === null ? 'des-ede3-ecb' : 'des-ede3-cbc', fullKey, iv).update(data);
  } finally {
    wipe(fullKey);
  }
}

function decrypt(key: Uint8Array, iv: Uint8Array | null, data: Uint8Array): Buffer {
  requireBlocks(data);
  requireIv(iv);
  const fullKey = expandTdesKey(key);
  try {
    const cipher = createDecipheriv(iv === null ? 'des-ede3-ecb' : 'des-ede3-cbc', fullKey, iv);
    cipher.setAutoPadding(false);
    return cipher.update(data);
  } finally {
    wipe(fullKey);
  }
}

/** TDEA on blocks of 8 bytes (ISO/IEC 18033-3; key 8, 16 or 24 bytes). */
export const {
  encryptEcb: tdesEncryptEcb,
  decryptEcb: tdesDecryptEcb,
  encryptCbc: tdesEncryptCbc,
  decryptCbc: tdesDecryptCbc,
} = blockModes(encrypt, decrypt);

/** The key with the lowest bit of each byte set so that every byte has an odd number of one-bits. */
export function withOddParity(key: Uint8Array): Buffer {
  const out = Buffer.from(key);
  for (let i = 0; i < out.length; i += 1) {
    const high = (out[i] ?? 0) & 0xfe;
    out[i] = oneBits(high) % 2 === 0 ? high | 1 : high;
  }
  return out;
}

/** Whether every byte has an odd number of one-bits. */
export function hasOddParity(key: Uint8Array): boolean {
  let even = 0;
  for (const byte of key) even |= oneBits(byte) % 2 === 0 ? 1 : 0;
  return even === 0;
}

function oneBits(byte: number): number {
  let rest = byte;
  let count = 0;
  while (rest !== 0) {
    rest &= rest - 1;
    count += 1;
  }
  return count;
}
