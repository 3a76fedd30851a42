import { describe, expect, it } from 'vitest';
import { fromHex } from '../bytes.js';
import { describeTlv, formatDescription } from './describe.js';
import { EMV_TAGS } from './tags.js';
import { encodeTlv, tlv } from './tlv.js';
import { readValue } from './value-readers.js';

const lines = (hex: string) => formatDescription(describeTlv(fromHex(hex)));

describe('describeTlv', () => {
  it('is a tree with names, meanings and decoded bits', () => {
    const message = encodeTlv([
      tlv('77', [
        tlv('9F27', fromHex('80')),
        tlv('9F36', fromHex('00FF')),
        tlv('95', fromHex('0080008000')),
        tlv('9A', fromHex('261120')),
      ]),
    ]);
    expect(formatDescription(describeTlv(message))).toEqual([
      '77 Response Message Template Format 2',
      '  9F27 Cryptogram Information Data (CID) [1] 80',
      '      Cryptogram: ARQC',
      '  9F36 Application Transaction Counter (ATC) [2] 00FF',
      '      255',
      '  95 Terminal Verification Results (TVR) [5] 0080008000',
      '      ICC and terminal have different application versions',
      '      Transaction exceeds floor limit',
      '  9A Transaction Date [3] 261120',
      '      2026-11-20',
    ]);
  });

  it('masks the PAN to first six and last four, of track 2 also keeps the expiry, of names nothing', () => {
    const message = encodeTlv([
      tlv('70', [
        tlv('5A', fromHex('4761739001010010')),
        tlv('57', fromHex('4761739001010010D3012201112345678F')),
        tlv('5F20', Buffer.from('DOE/JANE')),
      ]),
    ]);
    const [record] = describeTlv(message);
    expect(record?.children.map((child) => child.value)).toEqual([
      '476173******0010',
      '476173******0010D3012*************',
      '*'.repeat(16),
    ]);
  });

  it('shows nothing of a short or malformed PAN or track', () => {
    expect(lines('5A04123456785704AABBCCDD')).toEqual([
      '5A Application Primary Account Number (PAN) [4] ********',
      '    Sensitive: masked',
      '57 Track 2 Equivalent Data [4] ********',
      '    Sensitive: masked',
    ]);
  });

  it('hides a card number under a tag that it does not know, in BCD and in ASCII', () => {
    for (const value of [fromHex('4761739001010010'), Buffer.from('PAN 4761739001010010!')]) {
      const [node] = describeTlv(encodeTlv([tlv('DF7E', value)]));
      expect(node?.value).toBe('*'.repeat(16));
    }
    expect(describeTlv(encodeTlv([tlv('DF7E', fromHex('0102030405060708'))]))[0]?.value).toBe(
      '0102030405060708',
    );
  });

  it('lists data objects, file locators and dates, and marks a value that is not of its form', () => {
    expect(lines('8C069F02069F3704')).toEqual([
      '8C Card Risk Management Data Object List 1 (CDOL1) [6] 9F02069F3704',
      '    9F02 Amount, Authorised (Numeric), 6 bytes',
      '    9F37 Unpredictable Number, 4 bytes',
      '    Together 10 bytes',
    ]);
    expect(lines('940408010200')[1]).toBe('    SFI 1, records 1 to 2, 0 in offline data authentication');
    expect(lines('8C019F')[1]).toMatch(/Not of the form/);
    expect(lines('9A02AABB')).toEqual([
      '9A Transaction Date [2] AABB',
      '    ! 2 bytes, but tag 9A has 3; too short: a part is missing',
      '    Not a date YYMMDD',
    ]);
  });

  it('names the cryptograms in the issuer data, and what the issuer orders', () => {
    expect(lines('9F100706011203A0B800')).toContain('    First GENERATE AC ARQC, second not requested');
    expect(lines('9F10120114500003220000DAC000000000000000FF')).toContain(
      '    First GENERATE AC TC, second TC',
    );
    expect(lines('91081122334400800000').slice(1)).toEqual([
      '    ARPC 11223344 (method 2)',
      '    Card status update 00800000',
      '    Issuer approves the online transaction',
    ]);
    expect(lines('910A11223344556677883035').slice(1)).toEqual([
      '    ARPC 1122334455667788 (method 1)',
      '    Response code "05"',
    ]);
    expect(lines('9103112233')[2]).toMatch(/Not of the length/);
  });

  it('keeps control characters of a card away from the screen', () => {
    const esc = String.fromCharCode(27);
    expect(lines('50045B1B5B4D').join('')).not.toContain(esc);
  });

  it('reads any bytes of any known tag without failing', () => {
    for (const info of EMV_TAGS) {
      if (info.format === 'template') continue;
      for (const value of ['', '00', 'FF', '9F', 'FFFFFFFFFFFFFFFF', '0102030405060708090A0B0C0D0E0F']) {
        expect(() => readValue(info.tag, fromHex(value))).not.toThrow();
        expect(describeTlv(encodeTlv([tlv(info.tag, fromHex(value))]))).toHaveLength(1);
      }
    }
  });
});
