import { wipe } from '../../bytes.js';
import { CryptoError } from '../ciphers/errors.js';
import { retailMac } from '../ciphers/mac.js';
import { padBit, padZeros } from '../ciphers/padding.js';
import { DES_BLOCK_BYTES, tdesEncryptCbc, tdesEncryptEcb, ZERO_BLOCK } from '../ciphers/tdes.js';
import { encodePinBlock, type Pin } from '../pin/pin-block.js';
import { commonSessionKey, visaSessionKey } from './emv-keys.js';

/** How session keys of secure messaging come from the ICC keys. */
export type ScriptSessionKey = 'visaSecureMessaging' | 'emvCommonSessionKey';
/** How a scheme writes and enciphers the PIN of a PIN change command. */
export type PinScriptStyle = 'visa' | 'mastercard' | 'emvCcd';

/**
 * A session key of secure messaging.
 * @param iccMk the ICC key of the kind (integrity or confidentiality), 16 bytes
 * @param diversifier ATC (2 bytes, Visa) or application cryptogram (8 bytes)
 * @throws CryptoError badKeyLength, badArgument
 */
export function scriptSessionKey(kind: ScriptSessionKey, iccMk: Uint8Array, diversifier: Uint8Array): Buffer {
  return kind === 'visaSecureMessaging'
    ? visaSessionKey(iccMk, diversifier)
    : commonSessionKey(iccMk, diversifier);
}

/**
 * MAC of a script command (EMV Book 2 §9.2): header, whatever the scheme puts between, and data. Eight bytes; schemes send four to eight.
 * @param between ATC and application cryptogram where the scheme includes them
 * @throws CryptoError badKeyLength
 */
export function scriptMac(
  skSmi: Uint8Array,
  header: Uint8Array,
  between: Uint8Array,
  data: Uint8Array,
): Buffer {
  return retailMac(skSmi, Buffer.concat([header, between, data]), 'iso9797Method2');
}

/** What the PIN block of a PIN change is made of. */
interface PinScriptInput {
  readonly style: PinScriptStyle;
  readonly newPin: Pin;
  /** Where the scheme mixes it in (Visa). */
  readonly currentPin?: Pin;
  /** ICC master key for application cryptograms, 16 bytes; Visa binds the block to it. */
  readonly iccMkAc: Uint8Array;
  /** Visa's later versions write a new PIN without the current one as format 2. */
  readonly newPinWithoutCurrent?: 'format2';
}

/**
 * The clear PIN block of a PIN change; the caller enciphers it with `encipherScriptPin` and wipes it.
 * @throws CryptoError badPin, badKeyLength
 */
export function scriptPinBlock(input: PinScriptInput): Buffer {
  const alone = input.newPinWithoutCurrent === 'format2' && input.currentPin === undefined;
  const block = encodePinBlock({ format: 2, pin: input.newPin });
  if (input.style !== 'visa' || alone) return block;
  if (input.iccMkAc.length !== 16)
    throw new CryptoError('badKeyLength', `${input.iccMkAc.length} bytes, expected 16`);
  block[0] = (block[0] ?? 0) & 0x0f;
  for (let i = 4; i < 8; i += 1) block[i] = (block[i] ?? 0) ^ (input.iccMkAc[i] ?? 0);
  if (input.currentPin !== undefined) mixCurrentPin(block, input.currentPin);
  return block;
}

/** The current PIN's digits, left justified and filled with zeros, mixed into the block. */
function mixCurrentPin(block: Buffer, currentPin: Pin): void {
  const current = encodePinBlock({ format: 2, pin: currentPin });
  for (let i = 0; i < currentPin.length; i += 1) {
    const digit = i % 2 === 0 ? (current[1 + (i >>> 1)] ?? 0) >>> 4 : (current[1 + (i >>> 1)] ?? 0) & 0x0f;
    block[i >>> 1] = (block[i >>> 1] ?? 0) ^ (i % 2 === 0 ? digit << 4 : digit);
  }
  wipe(current);
}

/**
 * Enciphers a script's PIN block: Visa as length, block and method 2 padding in ECB; M/Chip in CBC, padded only if needed;
 * CCD in CBC, always padded.
 * @throws CryptoError badKeyLength
 */
export function encipherScriptPin(style: PinScriptStyle, skSmc: Uint8Array, block: Uint8Array): Buffer {
  if (style === 'visa') {
    const prefixed = Buffer.concat([Buffer.from([block.length]), block]);
    const padded = padBit(prefixed, DES_BLOCK_BYTES);
    const out = tdesEncryptEcb(skSmc, padded);
    wipe(prefixed, padded);
    return out;
  }
  const padded =
    style === 'emvCcd' || block.length % DES_BLOCK_BYTES !== 0
      ? padBit(block, DES_BLOCK_BYTES)
      : padZeros(block, DES_BLOCK_BYTES);
  const out = tdesEncryptCbc(skSmc, ZERO_BLOCK, padded);
  wipe(padded);
  return out;
}

/** A PIN change command and its parts' keys. */
interface PinChangeInput extends PinScriptInput {
  readonly skSmi: Uint8Array;
  readonly skSmc: Uint8Array;
  /** ATC and application cryptogram where the scheme includes them in the MAC. */
  readonly between: Uint8Array;
}

/**
 * The whole PIN CHANGE/UNBLOCK command (EMV Book 3 §6.5.10): header 84 24 00 02 (01 with the current PIN), enciphered block, MAC.
 * @throws CryptoError badPin, badKeyLength
 */
export function pinChangeCommand(input: PinChangeInput): Buffer {
  const block = scriptPinBlock(input);
  const enciphered = encipherScriptPin(input.style, input.skSmc, block);
  wipe(block);
  const parameter = input.currentPin === undefined ? 0x02 : 0x01;
  const header = Buffer.from([0x84, 0x24, 0x00, parameter, enciphered.length + DES_BLOCK_BYTES]);
  return Buffer.concat([header, enciphered, scriptMac(input.skSmi, header, input.between, enciphered)]);
}
