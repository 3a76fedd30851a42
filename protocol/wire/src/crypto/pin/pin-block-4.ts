import { wipe, xorInto } from '../../bytes.js';
import { aesDecryptEcb, aesEncryptEcb } from '../ciphers/aes.js';
import { requirePanDigits } from '../ciphers/digits.js';
import { CryptoError } from '../ciphers/errors.js';
import type { BlockOperation } from '../key-block/remote-key.js';
import { type Pin, pinNibbles, readPinNibbles, unpackNibbles } from './pin-block.js';

/** Bytes of a format 4 block. */
export const PIN_BLOCK_4_BYTES = 16;
/** Random bytes that end the PIN field. */
export const PIN_BLOCK_4_RANDOM_BYTES = 8;

/**
 * PAN field of format 4 (ISO 9564-1 §9.4.2.2): how many digits there are above 12, the PAN (12 digits at least), zeros.
 * @throws CryptoError badPan
 */
export function panField4(pan: string): Buffer {
  requirePanDigits(pan);
  const digits = pan.padStart(12, '0');
  return Buffer.from(`${digits.length - 12}${digits}`.padEnd(32, '0'), 'hex');
}

/**
 * A PIN enciphered as format 4 (ISO 9564-1 §9.4.2): AES of the PIN field, mixed with the PAN field, AES again.
 * @param key 16, 24 or 32 bytes
 * @param random the last 8 bytes of the PIN field; new for every block
 * @throws CryptoError badPin, badPan, badArgument, badKeyLength
 */
export function encipherPinBlock4(key: Uint8Array, pin: Pin, pan: string, random: Uint8Array): Buffer {
  return encipherPinBlock4With((block) => aesEncryptEcb(key, block), pin, pan, random);
}

/**
 * As {@link encipherPinBlock4}, with a key that is not at hand as bytes.
 * @throws CryptoError badPin, badPan, badArgument
 */
export function encipherPinBlock4With(
  encrypt: BlockOperation,
  pin: Pin,
  pan: string,
  random: Uint8Array,
): Buffer {
  if (random.length !== PIN_BLOCK_4_RANDOM_BYTES) {
    throw new CryptoError('badArgument', `format 4 takes 8 random bytes, got ${random.length}`);
  }
  const field = pinField4(pin, random);
  const panField = panField4(pan);
  const once = encrypt(field);
  xorInto(once, panField);
  const block = encrypt(once);
  wipe(field, once);
  return block;
}

/**
 * The PIN of a format 4 block as ASCII digits; the caller wipes them.
 * @throws CryptoError badControl, badLength, badDigits, badPadding, badPan, badKeyLength, badDataLength
 */
export function decipherPinBlock4(key: Uint8Array, block: Uint8Array, pan: string): Buffer {
  return decipherPinBlock4With((enciphered) => aesDecryptEcb(key, enciphered), block, pan);
}

/**
 * As {@link decipherPinBlock4}, with a key that is not at hand as bytes, such as one inside a hardware module.
 * @param decryptBlock AES decipherment of 16 bytes; what it gives is wiped here
 * @throws CryptoError badControl, badLength, badDigits, badPadding, badPan, badDataLength
 */
export function decipherPinBlock4With(decryptBlock: BlockOperation, block: Uint8Array, pan: string): Buffer {
  if (block.length !== PIN_BLOCK_4_BYTES)
    throw new CryptoError('badDataLength', `${block.length} bytes, expected 16`);
  const panField = panField4(pan);
  const once = decryptBlock(block);
  xorInto(once, panField);
  const field = decryptBlock(once);
  const nibbles = unpackNibbles(field);
  try {
    return readPinNibbles(4, nibbles);
  } finally {
    wipe(once, field, nibbles);
  }
}

function pinField4(pin: Pin, random: Uint8Array): Buffer {
  const nibbles = pinNibbles(4, pin).fill(0xa, 2 + pin.length);
  const field = Buffer.alloc(PIN_BLOCK_4_BYTES);
  for (let i = 0; i < 8; i += 1) field[i] = ((nibbles[2 * i] ?? 0) << 4) | (nibbles[2 * i + 1] ?? 0);
  field.set(random, 8);
  wipe(nibbles);
  return field;
}
