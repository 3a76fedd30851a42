import { wipe } from '../../bytes.js';
import { requireDigits, requirePan } from '../ciphers/digits.js';
import { CryptoError } from '../ciphers/errors.js';
import { retailMac } from '../ciphers/mac.js';
import { tdesEncryptEcb } from '../ciphers/tdes.js';
import { cvvAlgorithm } from '../pin/card-values.js';
import { deriveIccMasterKey, type IccMasterKeyOption } from './emv-keys.js';

/** The card that a dynamic value belongs to. */
export interface DynamicValueCard {
  readonly imk: Uint8Array;
  readonly pan: string;
  readonly psn: string;
  readonly option: IccMasterKeyOption;
}

/**
 * Visa's dynamic CVV of a contactless magnetic stripe transaction: the CVV algorithm under the card's key, the counter in
 * place of the first four PAN digits.
 * @param atc four decimal digits
 * @throws CryptoError badKeyLength, badPan, badArgument
 */
export function dcvv(card: DynamicValueCard, expiry: string, serviceCode: string, atc: string): string {
  requireDigits('atc', atc, 4);
  requireDigits('expiry', expiry, 4);
  requireDigits('service code', serviceCode, 3);
  const key = deriveIccMasterKey(card.imk, card.pan, card.psn, card.option);
  try {
    return cvvAlgorithm(key, atc + card.pan.slice(4), expiry + serviceCode);
  } finally {
    wipe(key);
  }
}

/**
 * The static part of CVC3: the last two bytes of a MAC over the track data that the issuer wrote (zeros where the dynamic parts will stand).
 * @throws CryptoError badKeyLength, badPan, badArgument
 */
export function ivcvc3(card: DynamicValueCard, trackData: Uint8Array): Buffer {
  const key = deriveIccMasterKey(card.imk, card.pan, card.psn, card.option);
  const mac = retailMac(key, trackData, 'iso9797Method2');
  wipe(key);
  return mac.subarray(6);
}

/**
 * Mastercard's dynamic CVC3: the last digits of the decimal number in the last two bytes of TDES over IVCVC3, unpredictable number and ATC.
 * @param iv IVCVC3, two bytes
 * @param un unpredictable number, 4 bytes
 * @param atc 2 bytes
 * @param digits how many digits the issuer gave the value on the track, 1 to 5
 * @throws CryptoError badKeyLength, badPan, badArgument
 */
export function cvc3(
  card: DynamicValueCard,
  iv: Uint8Array,
  un: Uint8Array,
  atc: Uint8Array,
  digits: number,
): string {
  if (iv.length !== 2 || un.length !== 4 || atc.length !== 2) {
    throw new CryptoError('badArgument', 'CVC3 takes 2 bytes of IVCVC3, 4 of unpredictable number, 2 of ATC');
  }
  if (!Number.isInteger(digits) || digits < 1 || digits > 5)
    throw new CryptoError('badArgument', 'CVC3 has 1 to 5 digits');
  const key = deriveIccMasterKey(card.imk, card.pan, card.psn, card.option);
  const block = tdesEncryptEcb(key, Buffer.concat([iv, un, atc]));
  wipe(key);
  return String(block.readUInt16BE(6)).padStart(5, '0').slice(-digits);
}

/**
 * Cardholder authentication verification value of 3D Secure: the CVV algorithm with the unpredictable number as expiry and the
 * result codes as service code.
 * @param upn four digits
 * @param authRc authentication result code, one digit
 * @param sfarc second factor result code, two digits
 * @throws CryptoError badKeyLength, badPan, badArgument
 */
export function cavv(cvk: Uint8Array, pan: string, upn: string, authRc: string, sfarc: string): string {
  requireDigits('upn', upn, 4);
  requireDigits('authRc', authRc, 1);
  requireDigits('sfarc', sfarc, 2);
  return cvvAlgorithm(cvk, requirePan(pan), upn + authRc + sfarc);
}
