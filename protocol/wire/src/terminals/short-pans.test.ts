import { describe, expect, test } from 'vitest';
import { compressedNumeric } from '../emv/compressed-numeric.js';
import {
  maskMagstripeTrack2,
  maskPan as maskNeoPan,
  maskTrack57,
  readMasked5A,
  readMasked57,
  readMaskedMagstripe,
} from './idtech/masking.js';
import { maskTrack, readMaskedTrack } from './magtek/masked-track.js';
import { maskedPan, maskTrack2, readMaskedPan, readMaskedTrack2 } from './miura/masked-track.js';
import { maskPan as maskNewlandPan, readMaskedPan as readNewlandPan } from './newland/masked-pan.js';
import {
  obfuscatedText,
  obfuscatePan,
  obfuscateTrack2,
  readObfuscatedPan,
  readObfuscatedTrack2,
} from './verifone/obfuscated.js';

// Six and four digits of a card number below twelve would be almost all of it, and go into journals and onto receipts.

const DIGITS = '6799850123456789';
const track = (pan: string) => `${pan}=31122011234567`;
const READERS: readonly (readonly [string, (pan: string) => { bin?: string; last4Digits?: string }])[] = [
  ['ID TECH tag 5A', (pan) => readMasked5A(maskNeoPan(pan))],
  ['ID TECH tag 57', (pan) => readMasked57(maskTrack57(track(pan)))],
  ['ID TECH magstripe', (pan) => readMaskedMagstripe(maskMagstripeTrack2(track(pan)))],
  ['MagTek', (pan) => readMaskedTrack(maskTrack(track(pan), { leading: 6, trailing: 4 }, '*'))],
  ['Miura track', (pan) => readMaskedTrack2(maskTrack2(track(pan)))],
  ['Miura PAN', (pan) => readMaskedPan(maskedPan(pan))],
  ['Newland', (pan) => readNewlandPan(maskNewlandPan(pan))],
  ['Verifone PAN', (pan) => readObfuscatedPan(compressedNumeric(obfuscatePan(pan)))],
  ['Verifone PAN as text', (pan) => readObfuscatedPan(Buffer.from(obfuscatedText(obfuscatePan(pan))))],
  ['Verifone track', (pan) => readObfuscatedTrack2(compressedNumeric(obfuscateTrack2(track(pan))))],
];

describe.each(READERS)('%s', (_, read) => {
  test.each([10, 11])('takes neither end of a card number of %i digits', (length) => {
    const facts = read(DIGITS.slice(0, length));
    expect(facts).not.toHaveProperty('bin');
    expect(facts).not.toHaveProperty('last4Digits');
  });

  test.each([12, 13, 16])('takes both ends of one of %i digits', (length) => {
    const pan = DIGITS.slice(0, length);
    expect(read(pan)).toMatchObject({ bin: '679985', last4Digits: pan.slice(-4) });
  });
});
