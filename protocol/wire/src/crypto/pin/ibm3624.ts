import { wipe } from '../../bytes.js';
import { requireDigits, requirePan } from '../ciphers/digits.js';
import { CryptoError } from '../ciphers/errors.js';
import { tdesEncryptEcb } from '../ciphers/tdes.js';
import type { BlockOperation } from '../key-block/remote-key.js';
import { PIN_MAX_DIGITS, PIN_MIN_DIGITS, type Pin } from './pin-block.js';

/** How the IBM 3624 method is parameterised at one issuer. */
export interface Ibm3624Profile {
  /** Sixteen digits: what nibbles 0 to F become. */
  readonly decimalisationTable: string;
  /** Which PAN digits make the validation data, from 0. */
  readonly panVerifyOffset: number;
  readonly panVerifyLength: number;
  /** Hex digit that fills the validation data on the right up to 16. */
  readonly panPad: string;
}

/**
 * The customer's PIN: the natural PIN plus the offset, digit by digit without carry. As ASCII digits; the caller wipes them.
 * @throws CryptoError badKeyLength, badPan, badArgument
 */
export function ibm3624Pin(pvk: Uint8Array, profile: Ibm3624Profile, pan: string, offset: string): Buffer {
  requirePinLength('offset', requireDigits('offset', offset).length);
  const natural = naturalPin(underTdes(pvk), profile, pan);
  const pin = Buffer.alloc(offset.length);
  for (let i = 0; i < offset.length; i += 1) pin[i] = 0x30 + (((natural[i] ?? 0) + Number(offset[i])) % 10);
  wipe(natural);
  return pin;
}

/**
 * The offset that makes a chosen PIN out of the natural one.
 * @throws CryptoError badKeyLength, badPan, badPin, badArgument
 */
export function ibm3624Offset(pvk: Uint8Array, profile: Ibm3624Profile, pan: string, pin: Pin): string {
  return ibm3624OffsetWith(underTdes(pvk), profile, pan, pin);
}

/**
 * As {@link ibm3624Offset}, with a key that is not at hand as bytes.
 * @throws CryptoError badPan, badPin, badArgument
 */
export function ibm3624OffsetWith(
  encrypt: BlockOperation,
  profile: Ibm3624Profile,
  pan: string,
  pin: Pin,
): string {
  const ascii = typeof pin === 'string' ? Buffer.from(pin, 'latin1') : Buffer.from(pin);
  const isPin = ascii.length >= PIN_MIN_DIGITS && ascii.length <= PIN_MAX_DIGITS;
  if (!isPin || ascii.some((byte) => byte < 0x30 || byte > 0x39)) {
    wipe(ascii);
    throw new CryptoError('badPin');
  }
  const natural = naturalPin(encrypt, profile, pan);
  let offset = '';
  for (let i = 0; i < ascii.length; i += 1)
    offset += String(((ascii[i] ?? 0) - 0x30 - (natural[i] ?? 0) + 10) % 10);
  wipe(natural, ascii);
  return offset;
}

function underTdes(pvk: Uint8Array): BlockOperation {
  return (block) => tdesEncryptEcb(pvk, block);
}

/** Sixteen decimal digits, one per byte, of which a PIN takes the first. */
function naturalPin(encrypt: BlockOperation, profile: Ibm3624Profile, pan: string): Buffer {
  const { decimalisationTable, panVerifyOffset, panVerifyLength, panPad } = profile;
  requireDigits('decimalisationTable', decimalisationTable, 16);
  if (!/^[0-9A-Fa-f]$/.test(panPad)) throw new CryptoError('badArgument', 'panPad is not one hex digit');
  const digits = requirePan(pan).slice(panVerifyOffset, panVerifyOffset + panVerifyLength);
  if (
    panVerifyOffset < 0 ||
    panVerifyLength < 1 ||
    panVerifyLength > 16 ||
    digits.length !== panVerifyLength
  ) {
    throw new CryptoError('badArgument', 'the PAN has no such digits to validate');
  }
  const result = encrypt(Buffer.from(digits.padEnd(16, panPad), 'hex'));
  const natural = Buffer.alloc(16);
  for (let i = 0; i < 16; i += 1) {
    const byte = result[i >>> 1] ?? 0;
    natural[i] = Number(decimalisationTable[i % 2 === 0 ? byte >>> 4 : byte & 0x0f]);
  }
  wipe(result);
  return natural;
}

function requirePinLength(name: string, length: number): void {
  if (length < PIN_MIN_DIGITS || length > 16)
    throw new CryptoError('badArgument', `${name} has ${length} digits`);
}
