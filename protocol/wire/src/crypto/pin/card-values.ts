import { equalConstantTime, wipe } from '../../bytes.js';
import { decimalise, panWithoutCheckDigit, requireDigits, requirePan } from '../ciphers/digits.js';
import { CryptoError } from '../ciphers/errors.js';
import { tdesEncryptEcb } from '../ciphers/tdes.js';
import type { BlockOperation } from '../key-block/remote-key.js';
import { PIN_MIN_DIGITS, type Pin } from './pin-block.js';

/** Service code that stands for the value printed on the card. */
const CVV2_SERVICE_CODE = '000';
/** Service code that stands for the value in the chip's track 2 equivalent data. */
const ICVV_SERVICE_CODE = '999';
/** Digits of a card verification value. */
const CVV_DIGITS = 3;

/**
 * The decimalised result of the card verification algorithm over PAN and trailing digits, `count` digits of it. CVV, CVV2, iCVV,
 * dCVV and CAVV differ in what they put in. Expiry order (YYMM or MMYY) is the issuer's choice: digits are taken as given.
 * @param cvk card verification key pair A‖B, 16 bytes
 * @throws CryptoError badKeyLength, badPan, badArgument
 */
export function cvvAlgorithm(
  cvk: Uint8Array,
  pan: string,
  trailing: string,
  count: number = CVV_DIGITS,
): string {
  if (cvk.length !== 16) throw new CryptoError('badKeyLength', `${cvk.length} bytes, expected 16`);
  const digits = requirePan(pan) + requireDigits('expiry and service code', trailing);
  if (digits.length > 32)
    throw new CryptoError('badArgument', 'PAN, expiry and service code exceed 32 digits');
  const data = Buffer.from(digits.padEnd(32, '0'), 'hex');
  const keyA = cvk.subarray(0, 8);
  const block = tdesEncryptEcb(keyA, data.subarray(0, 8));
  for (let i = 0; i < 8; i += 1) block[i] = (block[i] ?? 0) ^ (data[8 + i] ?? 0);
  const result = tdesEncryptEcb(cvk, block);
  wipe(data, block);
  return decimalise(result, count);
}

/**
 * A card verification value of three digits: CVV with the magstripe's service code, CVV2 with `000`, iCVV with `999`.
 * @param expiry four digits in the issuer's order
 * @throws CryptoError badKeyLength, badPan, badArgument
 */
export function cvv(cvk: Uint8Array, pan: string, expiry: string, serviceCode: string): string {
  requireDigits('expiry', expiry, 4);
  requireDigits('service code', serviceCode, 3);
  return cvvAlgorithm(cvk, pan, expiry + serviceCode);
}

/** The value printed on the card (CVV2, CVC2). */
export function cvv2(cvk: Uint8Array, pan: string, expiry: string): string {
  return cvv(cvk, pan, expiry, CVV2_SERVICE_CODE);
}

/** The value in the chip's track 2 equivalent data (iCVV, Chip CVC). */
export function icvv(cvk: Uint8Array, pan: string, expiry: string): string {
  return cvv(cvk, pan, expiry, ICVV_SERVICE_CODE);
}

/** Whether two values of digits are equal, in constant time; false when the lengths differ. */
export function digitsEqual(a: string, b: string): boolean {
  return equalConstantTime(Buffer.from(a, 'latin1'), Buffer.from(b, 'latin1'));
}

/**
 * PIN verification value, Visa method: four digits from 11 PAN digits, key index and the first four PIN digits.
 * @param pvk PIN verification key pair, 16 bytes
 * @param pvki key index, one digit
 * @throws CryptoError badKeyLength, badPan, badPin, badArgument
 */
export function pvv(pvk: Uint8Array, pvki: string, pan: string, pin: Pin): string {
  if (pvk.length !== 16) throw new CryptoError('badKeyLength', `${pvk.length} bytes, expected 16`);
  return pvvWith((block) => tdesEncryptEcb(pvk, block), pvki, pan, pin);
}

/**
 * As {@link pvv}, with a key that is not at hand as bytes.
 * @throws CryptoError badPan, badPin, badArgument
 */
export function pvvWith(encrypt: BlockOperation, pvki: string, pan: string, pin: Pin): string {
  const ascii = typeof pin === 'string' ? Buffer.from(pin, 'latin1') : Buffer.from(pin);
  if (ascii.length < PIN_MIN_DIGITS || ascii.some((byte) => byte < 0x30 || byte > 0x39)) {
    wipe(ascii);
    throw new CryptoError('badPin', 'a PVV needs at least 4 digits');
  }
  const start = panWithoutCheckDigit(requirePan(pan), 11) + requireDigits('pvki', pvki, 1);
  const block = Buffer.alloc(8);
  block.write(start, 'hex');
  block[6] = (((ascii[0] ?? 0) & 0x0f) << 4) | ((ascii[1] ?? 0) & 0x0f);
  block[7] = (((ascii[2] ?? 0) & 0x0f) << 4) | ((ascii[3] ?? 0) & 0x0f);
  const result = encrypt(block);
  wipe(ascii, block);
  return decimalise(result, 4);
}
