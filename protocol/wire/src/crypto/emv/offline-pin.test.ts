import { constants, generateKeyPairSync, privateDecrypt } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { fromHex, toHex } from '../../bytes.js';
import { filler, refusalOf } from '../random.test.support.js';
import { encipheredOfflinePin, plaintextOfflinePin } from './offline-pin.js';

describe('offline PIN', () => {
  it('in clear is a format 2 block', () => {
    expect(toHex(plaintextOfflinePin('1234'))).toBe('241234FFFFFFFFFF');
  });

  it('enciphered is opened by the card’s private key alone, bound to its challenge', () => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024, publicExponent: 3 });
    const { n = '', e = '' } = publicKey.export({ format: 'jwk' });
    const iccKey = { modulus: Buffer.from(n, 'base64url'), exponent: Buffer.from(e, 'base64url') };
    const challenge = fromHex('0102030405060708');
    const enciphered = encipheredOfflinePin(iccKey, '1234', challenge, filler);
    const clear = privateDecrypt({ key: privateKey, padding: constants.RSA_NO_PADDING }, enciphered);
    expect(toHex(clear.subarray(0, 17))).toBe('7F241234FFFFFFFFFF0102030405060708');
    expect(refusalOf(() => encipheredOfflinePin(iccKey, '1234', fromHex('01'), filler))).toBe('badArgument');
    const short = { ...iccKey, modulus: iccKey.modulus.subarray(0, 16) };
    expect(refusalOf(() => encipheredOfflinePin(short, '1234', challenge, filler))).toBe('badKey');
  });
});
