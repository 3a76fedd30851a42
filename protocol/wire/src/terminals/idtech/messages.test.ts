import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromHex, toHex } from '../../bytes.js';
import { tdesDecryptCbc } from '../../crypto/ciphers/tdes.js';
import { deriveInitialKey, deriveTransactionKey, workingKey } from '../../crypto/dukpt/dukpt-tdes.js';
import { TerminalFormatError } from '../format-error.js';
import { decodeAccountData, padZero } from './account-data.js';
import {
  decodeAidList,
  decodeApplicationData,
  decodeApplicationObjects,
  encodeAidList,
  encodeApplicationData,
  encodeApplicationObjects,
  MAX_APPLICATIONS,
  riskOf,
  withRisk,
} from './application-data.js';
import { type CapturedFrom, decodeAttribution, encodeAttribution } from './attribution.js';
import { COMMANDS, commandName, knowsCommand } from './commands.js';
import { decodeKeyRequest, decodeKeyState, encodeKeyRequest, encodeKeyState } from './key-state.js';
import { decodeKeyedRequest, encodeKeyedRequest } from './keyed-entry.js';
import { decodeMagstripeData, encodeMagstripeData } from './magstripe-data.js';
import {
  maskMagstripeTrack2,
  maskPan,
  maskTrack57,
  readMasked5A,
  readMasked57,
  readMaskedMagstripe,
} from './masking.js';
import { decodePinAnswer, encodePinAnswer, PIN_REQUEST, requirePinRequest } from './pin-entry.js';
import {
  COMPONENTS,
  CORNERS,
  decodeObjectEvent,
  decodeScreenText,
  encodeAddLabel,
  encodeObjectEvent,
  encodeScreenName,
  encodeUpdateLabel,
} from './screen.js';
import { type Disclosure, decodeObjects, encodeObjects, findObject } from './secure-tlv.js';
import { RESULTS, resultOf, STATUSES, statusOf, TAP_ERRORS, tapErrorOf } from './statuses.js';
import { decodeTransactionAnswer, encodeTransactionAnswer, resultCode } from './transaction-answer.js';
import {
  decodeActivate,
  decodeApplyHostResponse,
  decodeAuthenticate,
  encodeActivate,
  encodeAuthenticate,
} from './transaction-commands.js';

const hex = (text: string): Buffer => fromHex(text.replaceAll(' ', ''));
const PAN = '4200000000000075';
const TRACK = `${PAN}=3112201123456789`;
/** Base derivation key of the published examples of X9.24-1. */
const PUBLISHED_TDES_BDK = '0123456789ABCDEFFEDCBA9876543210';

describe('tables', () => {
  test('no two commands have the same bytes, and each is found by them', () => {
    for (const [name, { command, sub }] of Object.entries(COMMANDS))
      expect(commandName(command, sub)).toBe(name);
    expect(commandName(0x60, 0x7f)).toBeUndefined();
    expect([knowsCommand(0x60), knowsCommand(0x33)]).toEqual([true, false]);
  });

  test('statuses, results and tap errors are found by their codes; unknown ones are faults of the device', () => {
    for (const spec of Object.values(STATUSES)) expect(statusOf(spec.code)).toBe(spec);
    for (const spec of Object.values(RESULTS)) expect(resultOf(spec.code)).toBe(spec);
    for (const spec of Object.values(TAP_ERRORS)) expect(tapErrorOf(spec.code)).toBe(spec);
    expect(statusOf(0x7e).hint).toBe('device-error');
    expect(resultOf(0x7777).hint).toBe('device-error');
    expect(tapErrorOf(0)).toBeUndefined();
  });
});

describe('data objects', () => {
  test('masked and enciphered values have their own length bytes', () => {
    const bytes = hex(
      '57 A1 02 4761 57 C1 02 DC9F 9F39 01 07 FFEE1F 04 27900001 DFEE23 82 0100'.concat('00'.repeat(256)),
    );
    const objects = decodeObjects(bytes);
    expect(objects.map(({ tag, disclosure }) => [tag, disclosure])).toEqual([
      ['57', 'masked'],
      ['57', 'encrypted'],
      ['9F39', 'plain'],
      ['FFEE1F', 'plain'],
      ['DFEE23', 'plain'],
    ]);
    expect(toHex(findObject(objects, '57', 'encrypted') ?? Buffer.alloc(0))).toBe('DC9F');
    expect(toHex(encodeObjects(objects))).toBe(toHex(bytes));
  });

  test('what is written is read', () => {
    const object = fc.record({
      tag: fc.constantFrom('57', '5A', '9F26', 'DFEE12', 'FFEE1F', 'DF8129'),
      disclosure: fc.constantFrom<Disclosure>('plain', 'masked', 'encrypted'),
      value: fc.uint8Array({ maxLength: 300 }),
    });
    fc.assert(
      fc.property(fc.array(object, { maxLength: 5 }), (objects) => {
        const read = decodeObjects(encodeObjects(objects));
        expect(read.map((each) => ({ ...each, value: [...each.value] }))).toEqual(
          objects.map((each) => ({ ...each, value: [...each.value] })),
        );
      }),
    );
  });

  test.each(['9F', '57', '57 05 00', '57 80', '57 83 000001 00', '57 A2 01'])('%s is refused', (text) => {
    expect(() => decodeObjects(hex(text))).toThrow(TerminalFormatError);
  });
});

describe('answers of a transaction', () => {
  test('the published result alone is read', () => {
    const answer = decodeTransactionAnswer(hex('EA DF EE 25 02 30 12'));
    expect(answer.attribution).toEqual({
      captured: 'magstripe',
      cipher: 'aes',
      magstripeEncrypted: true,
      chipEncrypted: true,
    });
    expect(resultCode(answer)).toBe(0x3012);
  });

  test.each([
    ['C0', 'contact'],
    ['C2', 'contact'],
    ['21', 'tap'],
    ['D1', 'tap-magstripe'],
    ['C8', 'magstripe'],
    ['28', 'magstripe'],
  ] as const)('attribution %s is %s', (byte, captured) => {
    expect(decodeAttribution(Number.parseInt(byte, 16)).captured).toBe(captured);
  });

  test('attributions survive writing and reading', () => {
    for (const captured of [
      'contact',
      'tap',
      'tap-magstripe',
      'magstripe',
    ] as const satisfies readonly CapturedFrom[]) {
      const attribution = {
        captured,
        cipher: 'tdes',
        magstripeEncrypted: true,
        chipEncrypted: false,
      } as const;
      expect(decodeAttribution(encodeAttribution(attribution))).toEqual(attribution);
      const answer = { attribution, objects: [] };
      expect(decodeTransactionAnswer(encodeTransactionAnswer(answer))).toEqual(answer);
    }
    expect(() => decodeTransactionAnswer(Buffer.alloc(0))).toThrow(TerminalFormatError);
  });
});

describe('a Mastercard tap captured from a reader', () => {
  // Public test data of a reader's host, under the published TDES BDK: data record in FF8105, discretionary data in FF8106.
  const CAPTURED = hex(
    `E1 DF8116161B000000000000000000000000000000000000000000
     DF81290830F0F000B0F0FF00DFEC1C1E08030003FF001B00000000FF00000000000000000000000000000000FF00
     DFEE120AFFFFFF0200223D20000FDFEE2602E100DFEE4C0103DFEF4C06000000000000DFEF4D00FF8105820180
     4F07A0000000041010500A4D61737465724361726457A1125413CCCCCCCC1513D2012CCCCCCCCCCCCCCC
     57C118855A31E91D0641D4C0C681A30FD97A86FC1AF00891BC8352
     5AA1085413CCCCCCCC15135AC110CCA41680B767BA798E9AA28A3D825FA4
     5F24032012315F25030601015F280200565F340100820259808407A0000000041010
     8E0A00000000000000001F038F01F3950504400000019A032412239B0200009C01009F0100
     9F02060000000001009F03060000000000009F0607A00000000410109F0702FF009F09020002
     9F0D05F8406420009F0E0500108800009F0F05F86064F8009F10120110A000002C0800000000000000037501FF
     9F150211119F16009F1A0208409F1C009F1D086CFF0000000000009F1E0839543139303432389F2103063723
     9F2608E120C07356EA3DD89F2701809F2A01029F33030008089F34031F03029F3501229F360236C3
     9F3704CF5F09A29F3901079F400500000000009F4104000000159F4E009F5301009F6D020001
     DFEE76050440000001FF81061EDF8115060000000000FF9F42020978DF810B0100DF810E0100DF810F0100FFEE0105DFEE300100`.replaceAll(
      /\s/g,
      '',
    ),
  );
  const { attribution, objects } = decodeTransactionAnswer(CAPTURED);
  const found = (tag: string, disclosure?: Disclosure) =>
    toHex(findObject(objects, tag, disclosure) ?? Buffer.alloc(0));

  test('templates are opened: account data, cryptogram and discretionary data are found', () => {
    expect(attribution.captured).toBe('tap');
    expect(found('9F26')).toBe('E120C07356EA3DD8');
    expect(found('9F39')).toBe('07');
    expect(found('9F42')).toBe('0978');
    expect(found('DFEE30')).toBe('00');
    expect(objects.map(({ tag }) => tag).filter((tag) => tag.startsWith('FF'))).toEqual([]);
  });

  test('the masked track leaves the expiry open, and no service code', () => {
    expect(readMasked57(hex(found('57', 'masked')))).toEqual({ last4Digits: '1513', expiry: '2012' });
    expect(readMasked5A(hex(found('5A', 'masked')))).toEqual({ last4Digits: '1513' });
    const track = '5413339000001513=201220100000000000';
    expect(toHex(maskTrack57(track, { left: 4, right: 4 }))).toMatch(/^5413CCCCCCCC1513D2012CC/);
  });

  test('57 and 5A are enciphered under the data-request working key, chained from zeros', () => {
    const ksn = hex(found('DFEE12'));
    const initial = deriveInitialKey(hex(PUBLISHED_TDES_BDK), ksn);
    const key = workingKey(deriveTransactionKey(initial, ksn), 'dataRequest');
    const clear = (tag: string) => tdesDecryptCbc(key, Buffer.alloc(8), hex(found(tag, 'encrypted')));
    expect(decodeAccountData(clear('57'))).toEqual({
      pan: '5413339000001513',
      track2: '5413339000001513D2012201000000000000'.slice(0, 36),
      expiry: '2012',
    });
    expect(decodeAccountData(clear('5A'))).toEqual({ pan: '5413339000001513' });
  });

  test('a template that ends early is refused', () => {
    expect(() => decodeTransactionAnswer(hex('E1 FF8105 04 9F2608E1'))).toThrow(TerminalFormatError);
  });
});

describe('commands of a transaction', () => {
  test('the published data are read and written', () => {
    const activate = hex('1E 9C0100 9F0206000000000100 9F0306000000000000 DFEF370107 DFEF3C03010060');
    expect(decodeActivate(activate).timeoutSeconds).toBe(30);
    expect(encodeActivate(decodeActivate(activate))).toEqual(activate);
    expect(decodeAuthenticate(hex('00 00 78'))).toEqual({
      forceOnline: false,
      timeoutSeconds: 120,
      objects: [],
    });
    expect(encodeAuthenticate(decodeAuthenticate(hex('01 00 78')))).toEqual(hex('01 00 78'));
    const host = hex('01 8A 02 30 30 91 0A 11 22 33 44 55 66 77 88 30 30');
    expect(decodeApplyHostResponse(host).objects.map(({ tag }) => tag)).toEqual(['8A', '91']);
    expect(decodeApplyHostResponse(hex('00'))).toEqual({ reached: false, objects: [] });
  });

  test('what is none is refused', () => {
    expect(() => decodeActivate(hex('00'))).toThrow(TerminalFormatError);
    expect(() => decodeAuthenticate(hex('00 00'))).toThrow(TerminalFormatError);
    expect(() => decodeAuthenticate(hex('02 00 78'))).toThrow(TerminalFormatError);
    expect(() => decodeApplyHostResponse(hex('02'))).toThrow(TerminalFormatError);
  });
});

describe('masked accounts', () => {
  test('six digits, four digits and expiry of a chip stand open', () => {
    expect(toHex(maskTrack57(TRACK))).toBe('420000CCCCCC0075D3112CCCCCCCCCCCCF');
    expect(readMasked57(maskTrack57(TRACK))).toEqual({
      bin: '420000',
      last4Digits: '0075',
      expiry: '3112',
    });
    expect(readMasked5A(maskPan(PAN))).toEqual({ bin: '420000', last4Digits: '0075' });
  });

  test('of a magstripe the service code is hidden', () => {
    expect(maskMagstripeTrack2(TRACK)).toBe(';420000******0075=3112************?*');
    expect(readMaskedMagstripe(maskMagstripeTrack2(TRACK))).toEqual({
      bin: '420000',
      last4Digits: '0075',
      expiry: '3112',
    });
  });

  test('what is no masked account gives no account', () => {
    expect([readMasked57(Buffer.alloc(3)), readMasked5A(Buffer.alloc(0)), readMaskedMagstripe('')]).toEqual([
      {},
      {},
      {},
    ]);
  });
});

describe('magstripe data', () => {
  const ksn = hex('FFFF9876543210E00001');
  const data = {
    source: 'magstripe',
    masked: [undefined, maskMagstripeTrack2(TRACK), undefined],
    encrypted: [undefined, Buffer.alloc(40, 0xab), undefined],
    cipher: 'tdes',
    serial: 'T123456789',
    ksn,
  } as const;

  test('what is written is read', () => {
    const bytes = encodeMagstripeData(data, [0, 36, 0]);
    expect(decodeMagstripeData(bytes)).toEqual(data);
  });

  test('the head of a published magstripe is written the same way', () => {
    const bytes = encodeMagstripeData(
      {
        ...data,
        masked: ['x'.repeat(0x44), 'y'.repeat(0x28), undefined],
        encrypted: [Buffer.alloc(72), Buffer.alloc(40), undefined],
      },
      [0x44, 0x28, 0],
    );
    expect(toHex(bytes.subarray(3, 4))).toBe('80');
    expect(toHex(bytes.subarray(5, 8))).toBe('442800');
    // The published one has two hashes more: its bits 3 and 4 are set as well.
    expect(toHex(bytes.subarray(8, 10))).toBe('8383');
  });

  test('the KSN of an AES key has two bytes more', () => {
    const aes = {
      ...data,
      cipher: 'aes',
      encrypted: [undefined, Buffer.alloc(48, 0xab), undefined],
    } as const;
    const whole = { ...aes, ksn: hex('FFFF987B0001000200000001') };
    expect(decodeMagstripeData(encodeMagstripeData(whole, [0, 36, 0]))).toEqual(whole);
    const wrong = { ...aes, ksn: hex('FFFF987B000100020000') };
    expect(decodeMagstripeData(encodeMagstripeData(wrong, [0, 36, 0]))).toEqual(wrong);
    const short = encodeMagstripeData({ ...aes, ksn: hex('FFFF987B000100') }, [0, 36, 0]);
    expect(() => decodeMagstripeData(short)).toThrow(TerminalFormatError);
  });

  test('one wrong byte is noticed', () => {
    const bytes = encodeMagstripeData(data, [0, 36, 0]);
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const bent = Buffer.from(bytes);
        bent[at] = (bent[at] ?? 0) ^ change;
        expect(() => decodeMagstripeData(bent)).toThrow(TerminalFormatError);
      }),
    );
  });
});

describe('a card number that is keyed in', () => {
  // Samples of keyed-in test cards in public code, as a keyboard types them: around the body, length and check sums count characters.
  const SAMPLES = [
    [
      'C0 17 00 18 00 82 92',
      ';4111********1111=5012?*',
      '1773F3F449C0B83318721C1837DA42160EBEB56AB3979BE8',
      '843U118792',
      '629949960E004A800006',
    ],
    [
      'C0 17 00 18 00 82 92',
      ';5424********1732=1810?*',
      'B73CD8C26233D4FFEC5500ED394439D97DDA5F530942D21D',
      '644T055742',
      '62994924100273000002',
    ],
  ] as const;

  test.each(SAMPLES)(
    'the body of a published sample is written and read: %s %s',
    (head, masked, cipher, serial, ksn) => {
      const data = {
        source: 'keyed',
        masked: [undefined, masked, undefined],
        encrypted: [undefined, hex(cipher), undefined],
        cipher: 'tdes',
        serial,
        ksn: hex(ksn),
      } as const;
      const bytes = encodeMagstripeData(data, [0, masked.length, 0]);
      const body = [
        hex(head),
        Buffer.from(masked),
        hex(cipher),
        Buffer.alloc(20),
        Buffer.from(serial),
        hex(ksn),
      ];
      expect(toHex(bytes.subarray(3, -3))).toBe(toHex(Buffer.concat(body)));
      expect(decodeMagstripeData(bytes)).toEqual(data);
    },
  );

  test('its mask has the form of the published one', () => {
    expect(maskMagstripeTrack2('4111111111111111=5012', { left: 4, right: 4 })).toBe(SAMPLES[0][1]);
    expect(readMaskedMagstripe(maskMagstripeTrack2(`${PAN}=3112`))).toEqual({
      bin: '420000',
      last4Digits: '0075',
      expiry: '3112',
    });
  });

  test('number and expiry are requested, and the check digit verified', () => {
    const request = { timeoutSeconds: 60, checkDigit: true };
    expect(toHex(encodeKeyedRequest(request))).toBe('003C2500');
    expect(decodeKeyedRequest(hex('003C2500'))).toEqual(request);
    expect(decodeKeyedRequest(hex('FFFF0500'))).toEqual({ timeoutSeconds: 0xffff, checkDigit: false });
  });

  test.each(['', '003C25', '003C250000', '00002500', '003C2100', '003C2700', '003C3500', '003C2580'])(
    'a request %s is refused',
    (text) => {
      expect(() => decodeKeyedRequest(hex(text))).toThrow(TerminalFormatError);
    },
  );

  test('deciphered, number and expiry are no track', () => {
    const clear = padZero(Buffer.from(`;${PAN}=3112?4`), 8);
    expect(clear).toHaveLength(24);
    expect(decodeAccountData(clear)).toEqual({ pan: PAN, expiry: '3112' });
  });
});

describe('PIN entry', () => {
  test('the request is the published one', () => {
    expect(toHex(PIN_REQUEST)).toBe('0101000C0400'.slice(2));
    expect(() => requirePinRequest(PIN_REQUEST)).not.toThrow();
    expect(() => requirePinRequest(hex('11 00 0C 04 00'))).toThrow(TerminalFormatError);
    expect(() => requirePinRequest(hex('01 00 0C 03 00'))).toThrow(TerminalFormatError);
  });

  test('a PIN comes as characters: 37 bytes, as in the published log', () => {
    const pin = { kind: 'pin', ksn: hex('FFFF9876543210E00001'), block: hex('0123456789ABCDEF') } as const;
    const bytes = encodePinAnswer(pin);
    expect(bytes).toHaveLength(0x25);
    expect(decodePinAnswer(bytes)).toEqual(pin);
    expect(decodePinAnswer(hex('02'))).toEqual({ kind: 'state', state: 2 });
    expect(() => decodePinAnswer(hex('00 41'))).toThrow(TerminalFormatError);
    expect(() => decodePinAnswer(Buffer.alloc(0))).toThrow(TerminalFormatError);
  });
});

describe('keys', () => {
  test('a published answer is read', () => {
    expect(decodeKeyState(hex('01 0A FFFFFF020019D1C00003'))).toEqual({
      state: 'valid',
      ksn: hex('FFFFFF020019D1C00003'),
    });
    expect(decodeKeyState(encodeKeyState({ state: 'unused' }))).toEqual({ state: 'unused' });
    expect(toHex(encodeKeyRequest('data'))).toBe('020000');
    expect(decodeKeyRequest(hex('01 00 00'))).toBe('pin');
    expect(decodeKeyRequest(hex('14 00 00'))).toBeUndefined();
    expect(() => decodeKeyState(hex('01 0A FFFF'))).toThrow(TerminalFormatError);
    expect(() => decodeKeyState(hex('77'))).toThrow(TerminalFormatError);
  });
});

describe('screens', () => {
  test('published labels are written byte for byte', () => {
    expect(toHex(encodeUpdateLabel('Screen1', 'Text1', 'Text1 Label'))).toBe(
      toHex(hex('53 63 72 65 65 6E 31 00 54 65 78 74 31 00 00 54 65 78 74 31 20 4C 61 62 65 6C 00')),
    );
    const added = encodeAddLabel('Screen1', 'Medium Button1', 'Medium1');
    const published = hex(
      '53 63 72 65 65 6E 31 00 4D 65 64 69 75 6D 20 42 75 74 74 6F 6E 31 00 02 02 00 00 00 00 4D 65 64 69 75 6D 31 00',
    );
    // The published example adds a medium button; ours is a large one.
    published[23] = 0x01;
    expect(toHex(added)).toBe(toHex(published));
  });

  test('texts are read back, and bad ones refused', () => {
    expect(decodeScreenText('screen', encodeScreenName('A'))).toEqual({ screen: 'A' });
    expect(decodeScreenText('add', encodeAddLabel('A', 'B', 'HELLO'))).toEqual({
      screen: 'A',
      label: 'HELLO',
    });
    expect(decodeScreenText('update', encodeUpdateLabel('A', 'B', ''))).toEqual({ screen: 'A', label: '' });
    expect(() => encodeUpdateLabel('A', 'B', 'x'.repeat(26))).toThrow(TerminalFormatError);
    expect(() => encodeScreenName('\n')).toThrow(TerminalFormatError);
    expect(() => decodeScreenText('update', hex('41 00 42'))).toThrow(TerminalFormatError);
  });
});

describe('what is pressed', () => {
  test('a long press of a corner, and a button with its names', () => {
    const corner = { component: COMPONENTS.longPress, number: CORNERS.topRight };
    expect(toHex(encodeObjectEvent(corner))).toBe('0000' + '0701' + '0000');
    expect(decodeObjectEvent(hex('FFFF 0701'))).toEqual(corner);
    const button = encodeObjectEvent({ component: COMPONENTS.largeButton, number: 0 }, 'TILL', 'TEXT');
    expect(button).toEqual(Buffer.from('\0\0\x01\0TILL\0TEXT\0', 'latin1'));
    expect(decodeObjectEvent(button)).toEqual({ component: 1, number: 0 });
    expect(() => decodeObjectEvent(hex('000007'))).toThrow(TerminalFormatError);
  });
});

describe('account data', () => {
  test('a chip’s track, a PAN and a magstripe are read', () => {
    const whole = { pan: PAN, track2: `${PAN}D3112201123456789`, expiry: '3112' };
    expect(decodeAccountData(padZero(hex('57 11 4200000000000075D3112201123456789F'), 8))).toEqual(whole);
    expect(decodeAccountData(padZero(Buffer.from(`;${TRACK}?8`), 8))).toEqual({
      ...whole,
      track2: whole.track2.slice(0, 16 + 1 + 16),
    });
    expect(decodeAccountData(padZero(hex('5A 08 4200000000000075'), 8))).toEqual({ pan: PAN });
  });

  test.each(['', '00', '5A 08 42', '5F24 03 311231', '57 02 4200', '5A 02 4200 FF', '3B 34'])(
    '%s is refused',
    (text) => {
      expect(() => decodeAccountData(hex(text))).toThrow(TerminalFormatError);
    },
  );
});

describe('application data', () => {
  // The example of the guide, as the maker's published tests send it.
  const PUBLISHED = hex(
    '07 00 A0 00 00 00 03 10 10 0F 00 9F 01 06 56 49 53 41 30 30 5F 57 01 00 5F 2A 02 08 40 9F 09 02 00 96 5F 36 01 02 9F 1B 04 00 00 3A 98 DF 25 03 9F 37 04 DF 28 03 9F 08 02 DF EE 15 01 01 DF 13 05 00 00 00 00 00 DF 14 05 00 00 00 00 00 DF 15 05 00 00 00 00 00 DF 18 01 00 DF 17 04 00 00 27 10 DF 19 01 00',
  );

  test('the published command is read and written byte for byte', () => {
    const data = decodeApplicationData(PUBLISHED);
    expect(data.aid).toBe('A0000000031010');
    expect(riskOf(data.objects)).toEqual({
      floorLimitMinor: 15_000,
      thresholdMinor: 10_000,
      targetPercent: 0,
      maxTargetPercent: 0,
    });
    expect(toHex(encodeApplicationData(data))).toBe(toHex(PUBLISHED));
  });

  test('another risk management leaves the rest as it is', () => {
    const { objects } = decodeApplicationData(PUBLISHED);
    const risk = { floorLimitMinor: 5_000, thresholdMinor: 1, targetPercent: 20, maxTargetPercent: 40 };
    const changed = decodeApplicationObjects(encodeApplicationObjects(withRisk(objects, risk)));
    expect(riskOf(changed)).toEqual(risk);
    const others = (all: typeof objects) =>
      all
        .filter(({ tag }) => !['9F1B', 'DF17', 'DF18', 'DF19'].includes(tag))
        .map(({ tag, value }) => [tag, toHex(value)]);
    expect(others(changed)).toEqual(others(objects));
    expect(changed).toHaveLength(objects.length);
  });

  test('lists of AIDs are read back; counts that do not agree are refused', () => {
    const aids = ['A0000000031010', 'A0000000043060'];
    expect(decodeAidList(encodeAidList(aids))).toEqual(aids);
    for (const bad of ['', '0100', '0100 0700 A000', '0200 0500 A000000003', '0100 0200 A000']) {
      expect(() => decodeAidList(hex(bad)), bad).toThrow(TerminalFormatError);
    }
    const many = Array.from({ length: MAX_APPLICATIONS + 1 }, () => 'A000000003');
    expect(() => decodeAidList(encodeAidList(many))).toThrow(TerminalFormatError);
    expect(() => decodeApplicationObjects(hex('0200 9F3501 22'))).toThrow(TerminalFormatError);
  });
});
