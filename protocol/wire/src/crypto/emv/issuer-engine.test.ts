import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toHex } from '../../bytes.js';
import { bytes, digits, flipped, refusalOf, SEED } from '../random.test.support.js';
import { arqc } from './cryptogram.js';
import { acSessionKey, CVN_PROFILES, iccKeys, profileArpc } from './cvn-profiles.js';
import { IssuerEngine } from './issuer-engine.js';

const profiles = fc.constantFrom(...Object.values(CVN_PROFILES));

describe('IssuerEngine', () => {
  it('gives what the plain functions give, for every cryptogram version', () => {
    fc.assert(
      fc.property(
        profiles,
        bytes(16),
        digits(13, 19),
        digits(2, 2),
        bytes(2),
        bytes(4),
        fc.uint8Array({ maxLength: 60 }),
        (profile, imk, pan, psn, atc, un, data) => {
          const answer = { arc: Buffer.from('00'), csu: Buffer.from('00820000', 'hex') };
          const icc = iccKeys(profile, { imkAc: imk, imkSmi: imk, imkSmc: imk }, pan, psn);
          const session = acSessionKey(profile, icc.ac, atc, un);
          const expected = arqc(session, data, profile.padding);
          const engine = new IssuerEngine(imk);
          const transaction = { profile, pan, psn, atc, un, acData: data };
          const result = engine.answer(transaction, answer);
          expect(toHex(result.arqc)).toBe(toHex(expected));
          expect(toHex(result.arpc)).toBe(toHex(profileArpc(profile, icc.ac, session, expected, answer)));
          expect(engine.verify(transaction, answer, expected).valid).toBe(true);
          expect(engine.verify(transaction, answer, flipped(toHex(expected), 5)).valid).toBe(false);
          engine.dispose();
        },
      ),
      SEED,
    );
  });

  it('refuses wrong sizes and a missing answer by name', () => {
    expect(refusalOf(() => new IssuerEngine(new Uint8Array(24)))).toBe('badKeyLength');
    const engine = new IssuerEngine(new Uint8Array(16).fill(1));
    const transaction = {
      profile: CVN_PROFILES.visaCvn10,
      pan: '4000000000000002',
      psn: '00',
      atc: new Uint8Array(2),
      un: new Uint8Array(4),
      acData: new Uint8Array(33),
    };
    expect(() => engine.answer(transaction, {})).toThrow(/response code/);
    expect(() => engine.answer({ ...transaction, profile: CVN_PROFILES.visaCvn18 }, {})).toThrow(
      /status update/,
    );
    expect(() => engine.verify(transaction, { arc: Buffer.from('00') }, new Uint8Array(4))).toThrow(
      /ARQC has 4/,
    );
    expect(refusalOf(() => engine.answer({ ...transaction, pan: '4' }, { arc: Buffer.from('00') }))).toBe(
      'badPan',
    );
  });
});
