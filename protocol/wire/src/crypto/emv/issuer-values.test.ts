import { describe, expect, it } from 'vitest';
import { fromHex, toHex, xorBytes } from '../../bytes.js';
import { encodeTlv, tlv } from '../../emv/tlv.js';
import { padBit } from '../ciphers/padding.js';
import { tdesEncryptCbc, ZERO_BLOCK } from '../ciphers/tdes.js';
import { decipherAccountData, readAccountData } from '../dukpt/account-data.js';
import { dataKeyVariant, deriveInitialKey, deriveTransactionKey, workingKey } from '../dukpt/dukpt-tdes.js';
import { ibm3624Offset, ibm3624Pin } from '../pin/ibm3624.js';
import { refusalOf } from '../random.test.support.js';
import { acData, CVN_PROFILES } from './cvn-profiles.js';
import { cavv, cvc3, dcvv } from './dynamic-values.js';
import { emv2000SessionKey } from './emv2000-tree.js';
import { encipherScriptPin, pinChangeCommand, scriptPinBlock } from './issuer-scripts.js';

const KEY = fromHex('0123456789ABCDEFFEDCBA9876543210');
const PAN = '4000000000000002';

describe('IBM 3624', () => {
  const profile = {
    decimalisationTable: '0123456789012345',
    panVerifyOffset: 0,
    panVerifyLength: 12,
    panPad: 'F',
  };

  it('the offset leads to the chosen PIN and to no other', () => {
    const offset = ibm3624Offset(KEY, profile, PAN, '4711');
    expect(ibm3624Pin(KEY, profile, PAN, offset).toString('latin1')).toBe('4711');
    expect(ibm3624Offset(KEY, profile, PAN, '4712')).not.toBe(offset);
  });

  it('refuses a table, a part of the PAN, a PIN or a pad that cannot be', () => {
    expect(refusalOf(() => ibm3624Pin(KEY, { ...profile, decimalisationTable: '0' }, PAN, '0000'))).toBe(
      'badArgument',
    );
    expect(refusalOf(() => ibm3624Pin(KEY, { ...profile, panVerifyOffset: 10 }, PAN, '0000'))).toBe(
      'badArgument',
    );
    expect(refusalOf(() => ibm3624Pin(KEY, { ...profile, panPad: 'G' }, PAN, '0000'))).toBe('badArgument');
    expect(refusalOf(() => ibm3624Offset(KEY, profile, PAN, '12'))).toBe('badPin');
  });
});

describe('dynamic values', () => {
  const card = { imk: KEY, pan: PAN, psn: '00', option: 'optionA' } as const;

  it('change with the counter and keep their number of digits', () => {
    expect(dcvv(card, '3012', '201', '0001')).not.toBe(dcvv(card, '3012', '201', '0002'));
    const values = [1, 2, 3].map((n) =>
      cvc3(card, fromHex('1234'), fromHex('00000001'), fromHex(`000${n}`), 3),
    );
    expect(new Set(values).size).toBeGreaterThan(1);
    for (const value of values) expect(value).toMatch(/^\d{3}$/);
  });

  it('refuse arguments of another size', () => {
    expect(refusalOf(() => cvc3(card, fromHex('12'), fromHex('00000001'), fromHex('0001'), 3))).toBe(
      'badArgument',
    );
    expect(refusalOf(() => cvc3(card, fromHex('1234'), fromHex('00000001'), fromHex('0001'), 6))).toBe(
      'badArgument',
    );
    expect(refusalOf(() => dcvv(card, '3012', '201', '1'))).toBe('badArgument');
    expect(refusalOf(() => cavv(KEY, PAN, '123', '0', '00'))).toBe('badArgument');
  });
});

describe('EMV2000 tree', () => {
  const tree = { height: 8, branch: 4, iv: new Uint8Array(16) };

  it('gives every counter its own key', () => {
    const keys = new Set([0, 1, 3, 4, 255, 65_535].map((atc) => toHex(emv2000SessionKey(KEY, atc, tree))));
    expect(keys.size).toBe(6);
  });

  it('refuses a tree or counter that cannot be', () => {
    for (const wrong of [
      { height: 0 },
      { height: 17 },
      { branch: 1 },
      { branch: 257 },
      { iv: new Uint8Array(8) },
    ]) {
      expect(refusalOf(() => emv2000SessionKey(KEY, 1, { ...tree, ...wrong }))).toBe('badArgument');
    }
    expect(refusalOf(() => emv2000SessionKey(KEY, 65_536, tree))).toBe('badArgument');
    expect(refusalOf(() => emv2000SessionKey(KEY.subarray(8), 1, tree))).toBe('badKeyLength');
  });
});

describe('issuer scripts', () => {
  it('the header states whether the current PIN is needed and how long the data are', () => {
    const input = { newPin: '1234', iccMkAc: KEY, skSmi: KEY, skSmc: KEY, between: new Uint8Array() };
    const visa = pinChangeCommand({ ...input, style: 'visa' });
    expect(toHex(visa.subarray(0, 5))).toBe('8424000218');
    expect(visa).toHaveLength(5 + 0x18);
    const withCurrent = pinChangeCommand({ ...input, style: 'visa', currentPin: '4321' });
    expect(toHex(withCurrent.subarray(0, 5))).toBe('8424000118');
    expect(pinChangeCommand({ ...input, style: 'mastercard' })).toHaveLength(5 + 0x10);
    expect(pinChangeCommand({ ...input, style: 'emvCcd' })).toHaveLength(5 + 0x18);
  });

  it('an odd number of current digits is mixed in digit by digit', () => {
    const zeroKey = new Uint8Array(16);
    const plain = scriptPinBlock({ style: 'visa', newPin: '12345', iccMkAc: zeroKey });
    const mixed = scriptPinBlock({ style: 'visa', newPin: '12345', currentPin: '98765', iccMkAc: zeroKey });
    expect(toHex(plain)).toBe('0512345FFFFFFFFF');
    expect(toHex(xorBytes(plain, mixed))).toBe('9876500000000000');
  });

  it('pads a block that does not end on eight bytes', () => {
    expect(encipherScriptPin('mastercard', KEY, new Uint8Array(9))).toHaveLength(16);
  });
});

describe('cryptogram input', () => {
  it('names the tag that is missing', () => {
    const lookup = (tag: string) => (tag === '95' ? undefined : new Uint8Array(2));
    expect(() => acData(CVN_PROFILES.visaCvn18, lookup, new Uint8Array())).toThrow(/tag 95/);
    expect(acData(CVN_PROFILES.visaCvn17, lookup, Buffer.from([3]))).toHaveLength(7);
  });
});

describe('account data', () => {
  const ksn = fromHex('FFFF9876543210E00003');
  const ik = deriveInitialKey(KEY, ksn);
  const transaction = deriveTransactionKey(ik, ksn);
  const container = encodeTlv([
    tlv('57', fromHex('4761739001010010D30122010000')),
    tlv('5A', fromHex('4761739001010010')),
    tlv('5F24', fromHex('301231')),
  ]);
  const keys = {
    dataRequest: workingKey(transaction, 'dataRequest'),
    dataResponse: workingKey(transaction, 'dataResponse'),
    dataVariant: dataKeyVariant(transaction, 'dataRequest'),
    pin: workingKey(transaction, 'pin'),
  };

  it.each(['dataRequest', 'dataResponse', 'dataVariant', 'pin'] as const)(
    'a profile determines which key: %s',
    (tdesKey) => {
      const sent = tdesEncryptCbc(keys[tdesKey], ZERO_BLOCK, padBit(container, 8));
      const profile = { dukpt: 'tdes', tdesKey, padding: 'iso9797Method2' } as const;
      expect(toHex(decipherAccountData(profile, ik, ksn, ZERO_BLOCK, sent))).toBe(toHex(container));
    },
  );

  it('names what is missing or malformed without showing it', () => {
    for (const bad of ['', '5A084761739001010010', '5A0847617390010100', '57024711']) {
      expect(refusalOf(() => readAccountData(fromHex(bad)))).toBe('malformed');
    }
    try {
      readAccountData(fromHex('5A084761739001010010'));
      expect.unreachable();
    } catch (error) {
      expect(String(error)).not.toContain('476173');
    }
  });
});
