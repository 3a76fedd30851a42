import { wipe } from '../../bytes.js';
import { panWithoutCheckDigit, requirePanDigits } from '../ciphers/digits.js';
import { CryptoError } from '../ciphers/errors.js';

/** ISO 9564-1 PIN block formats. */
export type PinBlockFormat = 0 | 1 | 2 | 3 | 4;
/** The formats that fill one 8-byte block. Format 4 is in `pin-block-4.ts`: it has no clear block that could be moved about. */
export type ShortPinBlockFormat = 0 | 1 | 2 | 3;

/** Fewest and most digits of a PIN (ISO 9564-1 §8.1). */
export const PIN_MIN_DIGITS = 4;
export const PIN_MAX_DIGITS = 12;
/** Bytes of a block of formats 0 to 3. */
export const PIN_BLOCK_BYTES = 8;

/** A PIN on its way in: decimal text, or its ASCII bytes (which the caller can wipe). */
export type Pin = string | Uint8Array;

/** What goes into a PIN block. */
interface PinBlockInput {
  readonly format: ShortPinBlockFormat;
  readonly pin: Pin;
  /** Formats 0 and 3 bind the PIN to it. */
  readonly pan?: string;
  /** Formats 1 and 3 fill with random nibbles: gives `length` random bytes. */
  readonly random?: (length: number) => Uint8Array;
}

/**
 * The clear 8-byte block of formats 0, 1, 2 or 3 (ISO 9564-1 §9.3). The caller enciphers it and wipes it.
 * @throws CryptoError badPin, badPan, badArgument (a PAN or random bytes are missing)
 */
export function encodePinBlock(input: PinBlockInput): Buffer {
  const nibbles = pinNibbles(input.format, input.pin);
  fillNibbles(nibbles, input);
  const block = packNibbles(nibbles);
  wipe(nibbles);
  if (input.format === 0 || input.format === 3) xorPanField(block, input.pan);
  return block;
}

/**
 * The PIN of a clear block as ASCII digits; the caller wipes them. The first broken rule is reported: control, length,
 * digits, padding.
 * @throws CryptoError badControl, badLength, badDigits, badPadding, badPan, badDataLength
 */
export function decodePinBlock(format: ShortPinBlockFormat, block: Uint8Array, pan?: string): Buffer {
  if (block.length !== PIN_BLOCK_BYTES)
    throw new CryptoError('badDataLength', `${block.length} bytes, expected 8`);
  const clear = Buffer.from(block);
  if (format === 0 || format === 3) xorPanField(clear, pan);
  const nibbles = unpackNibbles(clear);
  wipe(clear);
  try {
    return readPinNibbles(format, nibbles);
  } finally {
    wipe(nibbles);
  }
}

/**
 * Reads control, length, PIN and fill out of one nibble per byte; shared with format 4, whose first 16 nibbles have the same form.
 * @throws CryptoError badControl, badLength, badDigits, badPadding
 */
export function readPinNibbles(format: PinBlockFormat, nibbles: Uint8Array): Buffer {
  if (nibbles[0] !== format) throw new CryptoError('badControl', `expected format ${format}`);
  const length = nibbles[1] ?? 0;
  if (length < PIN_MIN_DIGITS || length > PIN_MAX_DIGITS)
    throw new CryptoError('badLength', 'PIN length is not 4 to 12');
  const pin = Buffer.alloc(length);
  let wrongDigits = 0;
  for (let i = 0; i < length; i += 1) {
    const digit = nibbles[i + 2] ?? 0;
    wrongDigits += digit > 9 ? 1 : 0;
    pin[i] = 0x30 + digit;
  }
  const rule =
    wrongDigits > 0
      ? 'badDigits'
      : isFill(format, nibbles.subarray(2 + length, 16))
        ? undefined
        : 'badPadding';
  if (rule === undefined) return pin;
  wipe(pin);
  throw new CryptoError(rule);
}

function isFill(format: PinBlockFormat, fill: Uint8Array): boolean {
  if (format === 1) return true;
  if (format === 3) return fill.every((nibble) => nibble >= 0xa);
  const expected = format === 4 ? 0xa : 0xf;
  return fill.every((nibble) => nibble === expected);
}

/**
 * Control, length and PIN as one nibble per byte, 16 of them, the fill still zero.
 * @throws CryptoError badPin
 */
export function pinNibbles(format: PinBlockFormat, pin: Pin): Buffer {
  const length = pin.length;
  if (length < PIN_MIN_DIGITS || length > PIN_MAX_DIGITS) throw new CryptoError('badPin', `${length} digits`);
  const nibbles = Buffer.alloc(16);
  nibbles[0] = format;
  nibbles[1] = length;
  for (let i = 0; i < length; i += 1) {
    const digit = (typeof pin === 'string' ? pin.charCodeAt(i) : (pin[i] ?? 0)) - 0x30;
    if (digit < 0 || digit > 9) throw new CryptoError('badPin', 'something else than digits');
    nibbles[i + 2] = digit;
  }
  return nibbles;
}

function fillNibbles(nibbles: Buffer, input: PinBlockInput): void {
  const from = 2 + input.pin.length;
  if (input.format === 0 || input.format === 2) {
    nibbles.fill(0xf, from);
    return;
  }
  if (input.random === undefined)
    throw new CryptoError('badArgument', `format ${input.format} needs random bytes`);
  const random = input.random;
  for (let i = from; i < nibbles.length; i += 1) {
    nibbles[i] = input.format === 1 ? (random(1)[0] ?? 0) & 0x0f : randomLetterNibble(random);
  }
}

/** A nibble A to F, each equally likely: bytes that would favour some are drawn again. */
function randomLetterNibble(random: (length: number) => Uint8Array): number {
  const fair = 252;
  for (let draws = 0; draws < MAX_DRAWS; draws += 1) {
    const byte = random(1)[0] ?? 0;
    if (byte < fair) return 0xa + (byte % 6);
  }
  throw new CryptoError('badArgument', 'the random source gives the same bytes for ever');
}

/** A healthy source needs a second draw in 1.6 % of cases. */
const MAX_DRAWS = 64;

function packNibbles(nibbles: Uint8Array): Buffer {
  const out = Buffer.alloc(nibbles.length / 2);
  for (let i = 0; i < out.length; i += 1) out[i] = ((nibbles[2 * i] ?? 0) << 4) | (nibbles[2 * i + 1] ?? 0);
  return out;
}

/** One nibble per byte. */
export function unpackNibbles(bytes: Uint8Array): Buffer {
  const out = Buffer.alloc(bytes.length * 2);
  for (let i = 0; i < bytes.length; i += 1) {
    out[2 * i] = (bytes[i] ?? 0) >>> 4;
    out[2 * i + 1] = (bytes[i] ?? 0) & 0x0f;
  }
  return out;
}

/** PAN field of formats 0 and 3: 0000 and the 12 rightmost digits before the check digit. */
function xorPanField(block: Buffer, pan: string | undefined): void {
  if (pan === undefined) throw new CryptoError('badArgument', 'formats 0 and 3 need the PAN');
  const field = Buffer.from(`0000${panWithoutCheckDigit(requirePanDigits(pan), 12)}`, 'hex');
  for (let i = 0; i < block.length; i += 1) block[i] = (block[i] ?? 0) ^ (field[i] ?? 0);
}
