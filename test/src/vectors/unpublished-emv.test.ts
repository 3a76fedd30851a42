import { describe, expect, it } from 'vitest';
import { cvc3, type IssuerCase, mastercardCvn17, visaCvn18 } from './independent-emv.test.support.js';
import { type Case, hex, problems } from './unpublished.test.support.js';

const TAGS = {
  '9F02': '000000012345',
  '9F03': '000000000000',
  '9F1A': '0276',
  '95': '0000008000',
  '5F2A': '0978',
  '9A': '261121',
  '9C': '00',
  '9F37': 'A1B2C3D4',
  '82': '3900',
  '9F36': '01F4',
} as const;
/** In the order of the cryptogram; an object would put 82 and 95 first. */
const COVERED = ['9F02', '9F03', '9F1A', '95', '5F2A', '9A', '9C', '9F37', '82', '9F36'] as const;
const KEYS = { imkAc: 0x1c, imkSmi: 0x2a, imkSmc: 0x38 };
const PANS = ['4761739001010010', '47617390010100107', '4761739001010010738'];

function issuer(pan: string, suffix: string): IssuerCase {
  const key = (seed: number): Buffer => Buffer.from(Array.from({ length: 16 }, (_, i) => seed + 3 * i));
  return {
    pan,
    psn: '01',
    imkAc: key(KEYS.imkAc),
    imkSmi: key(KEYS.imkSmi),
    imkSmc: key(KEYS.imkSmc),
    acData: Buffer.from(COVERED.map((tag) => TAGS[tag]).join('') + suffix, 'hex'),
    atc: Buffer.from(TAGS['9F36'], 'hex'),
    un: Buffer.from(TAGS['9F37'], 'hex'),
    header: Buffer.from('8424000008', 'hex'),
    newPin: '12345',
  };
}

const common = (input: IssuerCase) => ({
  op: 'cvnProfile',
  pan: input.pan,
  psn: input.psn,
  imkAc: hex(input.imkAc),
  imkSmi: hex(input.imkSmi),
  imkSmc: hex(input.imkSmc),
  commandHeader: hex(input.header),
  newPin: input.newPin,
});

describe('vectors of EMV without a published example', () => {
  it('emv-cvn-scripts: Visa 18 and M/Chip 17, numbers of 16 to 19 digits', () => {
    const [iad, cvr, counters] = ['06011203A0B800', 'A00003220000', '00000000000003FF'];
    const cases = PANS.flatMap((pan): Case[] => {
      const [visa, mchip] = [issuer(pan, iad ?? ''), issuer(pan, `${cvr}${counters}`)];
      return [
        [
          {
            ...common(visa),
            cvn: 'visaCvn18',
            tags: { ...TAGS, '9F10': iad },
            csu: '00800000',
            commandMacData: 'headerAtcArqc',
          },
          visaCvn18(visa, Buffer.from('00800000', 'hex')),
        ],
        [
          {
            ...common(mchip),
            cvn: 'mastercardCvn17',
            tags: TAGS,
            cvr,
            counters,
            arc: '3030',
            commandMacData: 'header',
          },
          mastercardCvn17(mchip, Buffer.from('00')),
        ],
      ];
    });
    expect(problems('emv-cvn-scripts', cases)).toEqual([]);
  });

  it('cvv-pvv: CVC3 under a key of option B', () => {
    const cases = PANS.flatMap((pan): Case[] => {
      const { imkAc, psn } = issuer(pan, '');
      const [trackData, un, atc] = ['4761739001010010D3112201000000000000', '00000899', '005E'];
      const whole = cvc3(
        imkAc,
        pan,
        psn,
        Buffer.from(trackData, 'hex'),
        Buffer.from(un, 'hex'),
        Buffer.from(atc, 'hex'),
      );
      const inputs = { op: 'cvc3', imk: hex(imkAc), pan, psn, iccMkOption: 'optionB', trackData, un, atc };
      return [
        [{ ...inputs, digits: 5 }, { cvc3: whole }],
        [{ ...inputs, digits: 3 }, { cvc3: whole.slice(-3) }],
      ];
    });
    expect(problems('cvv-pvv', cases)).toEqual([]);
  });
});
