import { randomBytes } from 'node:crypto';
import { fromHex, toHex } from '@tillbridge/wire/bytes.js';
import { withOddParity } from '@tillbridge/wire/crypto/ciphers/tdes.js';
import { arqc } from '@tillbridge/wire/crypto/emv/cryptogram.js';
import {
  acData,
  acSessionKey,
  CVN_PROFILES,
  type CvnName,
} from '@tillbridge/wire/crypto/emv/cvn-profiles.js';
import { deriveIccMasterKey } from '@tillbridge/wire/crypto/emv/emv-keys.js';
import { decodeTlv, encodeTlv, findTlv, tlv } from '@tillbridge/wire/emv/tlv.js';
import { describe, expect, test } from 'vitest';
import { onEveryModule, type Vector, vectors } from './module-contract.test.support.js';

/** Issuer application data of each version, and what of them the cryptogram covers. */
const VERSIONS: readonly (readonly [name: CvnName, iad: string, covered: string])[] = [
  ['visaCvn10', '06010A03A06010', '03A06010'],
  ['visaCvn17', '06011103A00000', 'A0'],
  ['visaCvn18', '06011203A0B800', '06011203A0B800'],
  ['visaCvn22', `1F2201${'03A0B80000'}${'00'.repeat(24)}`, `1F2201${'03A0B80000'}${'00'.repeat(24)}`],
  [
    'interacCvn133',
    '1501850440B100000000B00000000000000000000000',
    '1501850440B100000000B00000000000000000000000',
  ],
  ['mastercardCvn16', '0110A00003220000DAC000000000000000FF', 'A00003220000'],
  ['mastercardCvn17', '0111A00003220000DAC000000000000322FF', 'A0000322000000000000000322FF'],
  ['mastercardCvn20', '0114A00003220000DAC000000000000322FF', 'A00003220000'],
  ['mastercardCvn21', '0115A00003220000DAC000000000000322FF', 'A0000322000000000000000322FF'],
];
const ELEMENTS: Readonly<Record<string, string>> = {
  '82': '1800',
  '95': '8000048000',
  '9F02': '000000004000',
  '9F03': '000000000000',
  '9F1A': '0124',
  '5F2A': '0124',
  '9A': '191105',
  '9C': '01',
  '9F37': '52BF4585',
  '9F36': '001C',
};
const PAN = '1234567890123456';

function cardData(elements: Readonly<Record<string, string>>, iad: string, cryptogram: Uint8Array): Buffer {
  return encodeTlv([
    ...Object.entries(elements).map(([tag, hex]) => tlv(tag, fromHex(hex))),
    tlv('9F10', fromHex(iad)),
    tlv('9F27', fromHex('80')),
    tlv('9F26', cryptogram),
  ]);
}

onEveryModule((harness) => {
  describe('cryptogram versions', () => {
    test.each(VERSIONS)('%s: the issuer knows the card’s cryptogram', async (name, iad, covered) => {
      const imk = withOddParity(randomBytes(16));
      harness.addKey('imk-ac', 'tdes2', imk);
      const profile = CVN_PROFILES[name];
      const icc = deriveIccMasterKey(imk, PAN, '00', profile.iccMasterKey);
      const value = (tag: string): Buffer => fromHex(ELEMENTS[tag] ?? '');
      const key = acSessionKey(profile, icc, value('9F36'), value('9F37'));
      const cryptogram = arqc(key, acData(profile, value, fromHex(covered)), profile.padding);
      const request = { pan: PAN, panSequenceNumber: '00', responseCode: '00' };
      const right = await harness.module.verifyArqcAndMakeArpc({
        ...request,
        iccData: cardData(ELEMENTS, iad, cryptogram),
      });
      expect(right.valid).toBe(true);
      expect(findTlv(decodeTlv(right.iccDataResponse ?? Buffer.alloc(0)), '91')).toHaveLength(
        profile.arpcMethod === 'method1' ? 10 : 8,
      );
      const moreMoney = { ...ELEMENTS, '9F02': '000000004001' };
      const wrong = await harness.module.verifyArqcAndMakeArpc({
        ...request,
        iccData: cardData(moreMoney, iad, cryptogram),
      });
      expect(wrong.valid).toBe(false);
    });

    const IADS: Readonly<Record<string, (inputs: Vector['inputs']) => string>> = {
      visaCvn10: ({ cvr }) => `06010A${cvr}`,
      interacCvn133: ({ tags }) => tags['9F10'] ?? '',
      mastercardCvn16: ({ cvr }) => `0110${cvr}0000${'00'.repeat(8)}`,
      mastercardCvn20: ({ cvr }) => `0114${cvr}0000${'00'.repeat(8)}`,
      mastercardCvn21: ({ cvr, counters }) => `0115${cvr}0000${counters}`,
    };
    const published = vectors('emv-cvn-scripts', ({ op, cvn }) => op === 'cvnProfile' && (cvn ?? '') in IADS);

    test.each(published)('$name: published cryptogram', async ({ inputs, expected }) => {
      harness.addKey('imk-ac', 'tdes2', withOddParity(fromHex(inputs.imkAc ?? '')));
      const { '9F10': _iad, ...elements } = inputs.tags;
      const iad = IADS[inputs.cvn ?? '']?.(inputs) ?? '';
      const printable = /^(3[0-9]|4[1-9A-F]|5[0-9A]){2}$/.test(inputs.arc ?? '');
      const verdict = await harness.module.verifyArqcAndMakeArpc({
        pan: inputs.pan ?? '',
        panSequenceNumber: inputs.psn ?? '',
        responseCode: printable ? fromHex(inputs.arc ?? '').toString('latin1') : '00',
        iccData: cardData(elements, iad, fromHex(expected.arqc ?? '')),
      });
      expect(verdict.valid).toBe(true);
      const answer = findTlv(decodeTlv(verdict.iccDataResponse ?? Buffer.alloc(0)), '91') ?? Buffer.alloc(0);
      if (printable) expect(toHex(answer)).toBe(`${expected.arpc}${inputs.arc}`);
    });

    test('every scheme has a published one', () => {
      expect(new Set(published.map(({ inputs }) => inputs.cvn))).toEqual(new Set(Object.keys(IADS)));
    });
  });
});
