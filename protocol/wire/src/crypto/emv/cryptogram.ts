import { equalConstantTime } from '../../bytes.js';
import { CryptoError } from '../ciphers/errors.js';
import { retailMac } from '../ciphers/mac.js';
import { tdesEncryptEcb } from '../ciphers/tdes.js';

/** Padding of the cryptogram's input: zeros only (method 1) or 80 and zeros (method 2). */
export type CryptogramPadding = 'iso9797Method1' | 'iso9797Method2';

/**
 * An application cryptogram (ARQC, TC or AAC): MAC over the card's data (EMV Book 2 §8.1.2). Eight bytes.
 * @param sessionKey 16 bytes: the session key, or the ICC master key where the scheme derives none
 * @throws CryptoError badKeyLength
 */
export function arqc(sessionKey: Uint8Array, data: Uint8Array, padding: CryptogramPadding): Buffer {
  return retailMac(sessionKey, data, padding);
}

/** Whether a card's cryptogram is the one that the issuer computes, compared in constant time. */
export function verifyArqc(
  sessionKey: Uint8Array,
  data: Uint8Array,
  padding: CryptogramPadding,
  received: Uint8Array,
): boolean {
  return equalConstantTime(arqc(sessionKey, data, padding), received);
}

/**
 * Issuer's answer, method 1 (EMV Book 2 §8.2.1): TDES of the ARQC mixed with the response code. Eight bytes.
 * @param arc authorization response code, the two ASCII bytes of tag 8A
 * @throws CryptoError badKeyLength, badArgument
 */
export function arpcMethod1(key: Uint8Array, requestCryptogram: Uint8Array, arc: Uint8Array): Buffer {
  requireLength('ARQC', requestCryptogram, 8);
  requireLength('ARC', arc, 2);
  requireLength16(key);
  const block = Buffer.from(requestCryptogram);
  block[0] = (block[0] ?? 0) ^ (arc[0] ?? 0);
  block[1] = (block[1] ?? 0) ^ (arc[1] ?? 0);
  return tdesEncryptEcb(key, block);
}

/**
 * Issuer's answer, method 2 (EMV Book 2 §8.2.2): the first four bytes of the MAC over ARQC, card status update and
 * proprietary data.
 * @param csu card status update, 4 bytes
 * @param proprietary proprietary authentication data, 0 to 8 bytes
 * @throws CryptoError badKeyLength, badArgument
 */
export function arpcMethod2(
  key: Uint8Array,
  requestCryptogram: Uint8Array,
  csu: Uint8Array,
  proprietary: Uint8Array = new Uint8Array(),
): Buffer {
  requireLength('ARQC', requestCryptogram, 8);
  requireLength('CSU', csu, 4);
  if (proprietary.length > 8)
    throw new CryptoError('badArgument', 'proprietary authentication data above 8 bytes');
  const data = Buffer.concat([requestCryptogram, csu, proprietary]);
  return retailMac(key, data, 'iso9797Method2').subarray(0, 4);
}

/** Whether a received ARPC (8 bytes) is method 1's. Constant time. */
export function verifyArpcMethod1(
  key: Uint8Array,
  requestCryptogram: Uint8Array,
  arc: Uint8Array,
  received: Uint8Array,
): boolean {
  return equalConstantTime(arpcMethod1(key, requestCryptogram, arc), received);
}

/** Whether a received ARPC (4 bytes) is method 2's. Constant time. */
export function verifyArpcMethod2(
  key: Uint8Array,
  requestCryptogram: Uint8Array,
  csu: Uint8Array,
  proprietary: Uint8Array,
  received: Uint8Array,
): boolean {
  return equalConstantTime(arpcMethod2(key, requestCryptogram, csu, proprietary), received);
}

function requireLength16(key: Uint8Array): void {
  if (key.length !== 16) throw new CryptoError('badKeyLength', `${key.length} bytes, expected 16`);
}

function requireLength(name: string, value: Uint8Array, length: number): void {
  if (value.length !== length)
    throw new CryptoError('badArgument', `${name} has ${value.length} bytes, expected ${length}`);
}
