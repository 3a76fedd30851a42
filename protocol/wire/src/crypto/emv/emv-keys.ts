import { createHash } from 'node:crypto';
import { wipe } from '../../bytes.js';
import { decimalise, requireDigits, requirePan } from '../ciphers/digits.js';
import { CryptoError } from '../ciphers/errors.js';
import { tdesEncryptEcb, withOddParity } from '../ciphers/tdes.js';

/** How the ICC master key comes from PAN and sequence number (EMV Book 2 A1.4); B differs from A above 16 PAN digits only. */
export type IccMasterKeyOption = 'optionA' | 'optionB';

/**
 * The key of one card from an issuer master key (EMV Book 2 A1.4), odd parity.
 * @param imk issuer master key, 16 bytes
 * @param psn PAN sequence number, two digits (`00` where the card has none)
 * @throws CryptoError badKeyLength, badPan, badArgument
 */
export function deriveIccMasterKey(
  imk: Uint8Array,
  pan: string,
  psn: string,
  option: IccMasterKeyOption,
): Buffer {
  requireMasterKey(imk);
  return parityAdjusted(tdesEncryptEcb(imk, iccKeyInput(pan, psn, option)));
}

/**
 * The two blocks that are enciphered under the issuer master key to make the ICC key's halves (EMV Book 2 A1.4).
 * @throws CryptoError badPan, badArgument
 */
export function iccKeyInput(pan: string, psn: string, option: IccMasterKeyOption): Buffer {
  const data = diversificationData(requirePan(pan), requireDigits('psn', psn, 2), option);
  const both = Buffer.alloc(16);
  for (let i = 0; i < 8; i += 1) {
    both[i] = data[i] ?? 0;
    both[i + 8] = (data[i] ?? 0) ^ 0xff;
  }
  return both;
}

function diversificationData(pan: string, psn: string, option: IccMasterKeyOption): Buffer {
  const digits = pan + psn;
  if (option === 'optionA' || pan.length <= 16)
    return Buffer.from(digits.slice(-16).padStart(16, '0'), 'hex');
  const even = digits.length % 2 === 0 ? digits : `0${digits}`;
  const hash = createHash('sha1').update(Buffer.from(even, 'hex')).digest();
  return Buffer.from(decimalise(hash, 16), 'hex');
}

/**
 * The EMV common session key (EMV Book 2 A1.3.1): TDES of the diversifier with byte 2 set to F0 and to 0F, odd parity.
 * @param iccMk ICC master key, 16 bytes
 * @param r diversifier, 8 bytes: `atcDiversifier`, `atcUnDiversifier`, or an application cryptogram
 * @throws CryptoError badKeyLength, badArgument
 */
export function commonSessionKey(iccMk: Uint8Array, r: Uint8Array): Buffer {
  requireMasterKey(iccMk);
  return parityAdjusted(tdesEncryptEcb(iccMk, sessionKeyInput(r)));
}

/**
 * The two blocks that are enciphered under the ICC key to make the session key's halves (EMV Book 2 A1.3.1).
 * @throws CryptoError badArgument
 */
export function sessionKeyInput(r: Uint8Array): Buffer {
  if (r.length !== 8)
    throw new CryptoError('badArgument', `the diversifier has ${r.length} bytes, expected 8`);
  const both = Buffer.concat([r, r]);
  both[2] = 0xf0;
  both[10] = 0x0f;
  return both;
}

/** Diversifier of an application cryptogram's session key: the ATC and six zero bytes (EMV Book 2 A1.3). */
export function atcDiversifier(atc: Uint8Array): Buffer {
  requireAtc(atc);
  return Buffer.concat([atc, Buffer.alloc(6)]);
}

/** The M/Chip proprietary diversifier: ATC, two zero bytes, unpredictable number. */
export function atcUnDiversifier(atc: Uint8Array, un: Uint8Array): Buffer {
  requireAtc(atc);
  if (un.length !== 4)
    throw new CryptoError('badArgument', `the unpredictable number has ${un.length} bytes, expected 4`);
  return Buffer.concat([atc, Buffer.alloc(2), un]);
}

/**
 * The session key of Visa secure messaging: the ATC mixed into the end of the left half, its complement into the right. No parity
 * adjustment changes what DES does with it, but the published values have odd parity.
 * @throws CryptoError badKeyLength, badArgument
 */
export function visaSessionKey(iccMk: Uint8Array, atc: Uint8Array): Buffer {
  requireMasterKey(iccMk);
  requireAtc(atc);
  const key = Buffer.from(iccMk);
  for (let i = 0; i < 2; i += 1) {
    key[6 + i] = (key[6 + i] ?? 0) ^ (atc[i] ?? 0);
    key[14 + i] = (key[14 + i] ?? 0) ^ (atc[i] ?? 0) ^ 0xff;
  }
  return parityAdjusted(key);
}

function requireMasterKey(key: Uint8Array): void {
  if (key.length !== 16) throw new CryptoError('badKeyLength', `${key.length} bytes, expected 16`);
}

function requireAtc(atc: Uint8Array): void {
  if (atc.length !== 2) throw new CryptoError('badArgument', `the ATC has ${atc.length} bytes, expected 2`);
}

function parityAdjusted(raw: Buffer): Buffer {
  const key = withOddParity(raw);
  wipe(raw);
  return key;
}
