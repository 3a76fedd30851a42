import { expect, test } from 'vitest';
import { decodeCardStatus, encodeCardStatus } from './card-status.js';
import { maskedPan, maskTrack2, readMaskedPan, readMaskedTrack2 } from './masked-track.js';

test('a masked track leaves bin, last digits, expiry and service code', () => {
  const masked = maskTrack2('4200000000000075=31121011234567');
  expect(masked).toBe(';420000******0075=3112101*******?*');
  // The sample of a swipe in the tests of the maker's host code: 37 bytes.
  expect(maskTrack2('4761739001010010=15122011143857589')).toBe(';476173******0010=1512201**********?*');
  expect(readMaskedTrack2(masked)).toEqual({
    bin: '420000',
    last4Digits: '0075',
    expiry: '3112',
    serviceCode: '101',
  });
  expect(readMaskedPan(maskedPan('4200000000000075'))).toEqual({ bin: '420000', last4Digits: '0075' });
});

test('nothing is read of what is no masked track', () => {
  expect(readMaskedTrack2('hello')).toEqual({});
  expect(readMaskedPan('42')).toEqual({});
});

test('card status is two bytes', () => {
  const inserted = { present: true, emvCompatible: true, magstripe: false };
  expect(encodeCardStatus(inserted)).toEqual(Buffer.of(3, 0));
  expect(decodeCardStatus(Buffer.of(0, 5))).toEqual({
    present: false,
    emvCompatible: false,
    magstripe: true,
  });
  expect(() => decodeCardStatus(Buffer.of(1))).toThrow('tag 48');
});
