import { wipe } from '../../bytes.js';
import { aesDecryptEcb, aesEncryptEcb } from '../ciphers/aes.js';
import { CryptoError } from '../ciphers/errors.js';
import { tdesDecryptEcb, tdesEncryptEcb } from '../ciphers/tdes.js';
import type { BlockKey, BlockOperation } from '../key-block/remote-key.js';
import { decodePinBlock, encodePinBlock, type Pin, type PinBlockFormat } from './pin-block.js';
import { decipherPinBlock4With, encipherPinBlock4With, PIN_BLOCK_4_RANDOM_BYTES } from './pin-block-4.js';

/** The cipher of an enciphered PIN block: TDES for formats 0 to 3, AES for format 4. */
export type PinCipher = 'tdes' | 'aes';

/** A format together with the key that protects it. */
export interface PinBlockProtection {
  readonly format: PinBlockFormat;
  readonly cipher: PinCipher;
  readonly key: Uint8Array;
}

/** Gives random bytes for fill. */
type RandomBytes = (length: number) => Uint8Array;

/**
 * Which change of format is allowed while the PAN stays the same: the table of PCI PIN Security v3.1, requirement 3-3, which takes it from ISO
 * 9564-1. Formats 0, 3 and 4 are bound to the PAN and change freely among themselves; format 1 is not, and may gain the binding but none may
 * lose it. Every format may become format 2, whose one purpose is handing a PIN to a chip, and nothing comes back from there.
 */
const ALLOWED: Readonly<Record<PinBlockFormat, readonly PinBlockFormat[]>> = {
  0: [0, 2, 3, 4],
  1: [0, 1, 2, 3, 4],
  2: [2],
  3: [0, 2, 3, 4],
  4: [0, 2, 3, 4],
};

/**
 * Whether a PIN block may change from one format into another. Format 2 as target means the reader that hands the PIN to the chip: a block
 * between hosts never takes it, see {@link isHostTranslationAllowed}.
 */
export function isTranslationAllowed(from: PinBlockFormat, to: PinBlockFormat): boolean {
  return ALLOWED[from].includes(to);
}

/** As {@link isTranslationAllowed}, for a block that travels on to another host: format 2 is not for that way. */
export function isHostTranslationAllowed(from: PinBlockFormat, to: PinBlockFormat): boolean {
  return from !== 2 && to !== 2 && isTranslationAllowed(from, to);
}

function requireCipher({ format, cipher }: PinBlockProtection): void {
  if ((format === 4) !== (cipher === 'aes')) {
    throw new CryptoError('badArgument', `format ${format} is not enciphered with ${cipher}`);
  }
}

/**
 * A PIN as an enciphered block; no clear block leaves this function.
 * @throws CryptoError badPin, badPan, badArgument, badKeyLength
 */
export function encipherPin(to: PinBlockProtection, pin: Pin, pan: string, random: RandomBytes): Buffer {
  requireCipher(to);
  return encipherPinWith(to.format, blockKey(to).encrypt, pin, pan, random);
}

/**
 * As {@link encipherPin}, with a key that is not at hand as bytes: of AES for format 4, of TDES for the others.
 * @throws CryptoError badPin, badPan, badArgument
 */
export function encipherPinWith(
  format: PinBlockFormat,
  encrypt: BlockOperation,
  pin: Pin,
  pan: string,
  random: RandomBytes,
): Buffer {
  if (format === 4) return encipherPinBlock4With(encrypt, pin, pan, random(PIN_BLOCK_4_RANDOM_BYTES));
  const clear = encodePinBlock({ format, pin, pan, random });
  try {
    return encrypt(clear);
  } finally {
    wipe(clear);
  }
}

function blockKey({ cipher, key }: PinBlockProtection): BlockKey {
  return cipher === 'aes'
    ? { encrypt: (blocks) => aesEncryptEcb(key, blocks), decrypt: (blocks) => aesDecryptEcb(key, blocks) }
    : { encrypt: (blocks) => tdesEncryptEcb(key, blocks), decrypt: (blocks) => tdesDecryptEcb(key, blocks) };
}

/**
 * The PIN of an enciphered block as ASCII digits; the caller wipes them as soon as it has compared them.
 * @throws CryptoError badControl, badLength, badDigits, badPadding, badPan, badArgument, badKeyLength, badDataLength
 */
export function decipherPin(from: PinBlockProtection, block: Uint8Array, pan: string): Buffer {
  requireCipher(from);
  return decipherPinWith(from.format, blockKey(from).decrypt, block, pan);
}

/**
 * As {@link decipherPin}, with a key that is not at hand as bytes.
 * @throws CryptoError badControl, badLength, badDigits, badPadding, badPan, badDataLength
 */
export function decipherPinWith(
  format: PinBlockFormat,
  decrypt: BlockOperation,
  block: Uint8Array,
  pan: string,
): Buffer {
  if (format === 4) return decipherPinBlock4With(decrypt, block, pan);
  const clear = decrypt(block);
  try {
    return decodePinBlock(format, clear, pan);
  } finally {
    wipe(clear);
  }
}

/**
 * A PIN block under another key, in the same or another format, for the same PAN. The PIN is in clear within this function
 * alone, and its buffer is wiped.
 * @throws CryptoError notAllowed, and what `decipherPin` and `encipherPin` throw
 */
export function translatePin(
  from: PinBlockProtection,
  block: Uint8Array,
  pan: string,
  to: PinBlockProtection,
  random: RandomBytes,
): Buffer {
  if (!isTranslationAllowed(from.format, to.format)) {
    throw new CryptoError('notAllowed', `PIN block format ${from.format} may not become format ${to.format}`);
  }
  const pin = decipherPin(from, block, pan);
  try {
    return encipherPin(to, pin, pan, random);
  } finally {
    wipe(pin);
  }
}
