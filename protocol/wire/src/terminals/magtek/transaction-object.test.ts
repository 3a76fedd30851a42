import { describe, expect, test } from 'vitest';
import { fromHex } from '../../bytes.js';
import { findTemplate, findTlv, tlv } from '../../emv/tlv.js';
import {
  encodeClearData,
  keyedInTrack2,
  magstripeObject,
  magstripeTrack2Text,
  pinObject,
  readClearData,
  readKeyedInTrack2,
  readMagstripeTrack2,
} from './account-data.js';
import { nearestDisplayString } from './display-strings.js';
import { aesUsageOf, blockBytesOf, ENCRYPTION_TYPES } from './encryption-type.js';
import { maskTrack, readMaskedTrack } from './masked-track.js';
import { outcomeDetail, readOutcome, readUpdate, updateDetail } from './notifications.js';
import {
  decodeTransactionObject,
  encipheredPart,
  encodeAuthenticated,
  encodeEnciphered,
  encodeTransactionObject,
  OBJECT_TAGS,
} from './transaction-object.js';

const KSN = fromHex('FFFF9879543210E00001');
const PART = {
  data: Buffer.alloc(16, 7),
  ksn: KSN,
  encryptionType: ENCRYPTION_TYPES.tdesData,
  paddingBytes: 3,
};
const BODY = {
  macKsn: KSN,
  macType: ENCRYPTION_TYPES.tdesMac,
  serial: Buffer.from('B613783'),
  generic: [tlv(OBJECT_TAGS.request, [tlv(OBJECT_TAGS.fallback, Buffer.of(0)), encodeEnciphered(PART)])],
};
const MAC = fromHex('0102030405060708');

test('an object of the maker’s browser host is read: its key is not published', () => {
  // MagTek-PaulDeignan/WebHID_Public, js/DemoUnigate.js: a tap with a test card.
  const published = fromHex(
    `
    01B7F98201B3DFDF540A9070020B571AF20000A8DFDF550182DFDF250742353731414632FA8201917082018D820219809F6E0708400000303000DFDF
    530100DFDF4D273B353331323537303030323030383131323D30303030303030303030303030303030303030303FDFDF520106F8820146DFDF598201
    28A17230ACD043954949A084A1B99F68AC0CC69B96940ED20300C873B4DF45A2E96AA04D7E3506C578711B295B3B031ECE6E0EBE01D3605BF33CC6FD
    9218846E7A8B15F8F94AC66895064CA27F89FCC815709293D8028480E626B1172493F8591AD34BDA1CB2032A41785E32695F96793BC03043CDB9708B
    8D405600D07402271ACBCB59DE4366CA884B0F5C100046FABADDE82867C198BB29810BF0CF637B3B2304757F9A4F1D2B5009B26BD601A33D4C435B28
    7673DEFD43B87BA2F78D8BEC4B49ADD22908036289A468D0C5DC8058F8DB37D738DCC376EBEF503F50F5B235E91A0AA83B4842ECAB2FE3D43BEEE0C2
    2D1417026DD9138B5DFE5EA8D8D7670DDA52F8F9B1374908E1B8C1A3E5161D597151AA812E215420B7D945C4C644A347AF5EB52BAD8ED568C2DFDF56
    0A9070020B571AF20000A8DFDF570180DFDF58010200000000000000F9D4AEE8`.replace(/\s/g, ''),
  );
  const object = decodeTransactionObject(published);
  const part = encipheredPart(object);
  // The MAC has the serial number of the data's key.
  expect(part.ksn).toEqual(object.macKsn);
  expect(part.ksn).toEqual(fromHex('9070020B571AF20000A8'));
  expect(part).toMatchObject({ encryptionType: ENCRYPTION_TYPES.tdesData, paddingBytes: 2 });
  expect(part.data).toHaveLength(296);
  expect(object.macType).toBe(ENCRYPTION_TYPES.tdesMac);
  expect(Buffer.from(object.serial).toString('latin1')).toBe('B571AF2');
  // Four zeros to whole blocks, then four bytes of MAC.
  expect(object.mac).toEqual(fromHex('F9D4AEE8'));
  const track = findTlv(findTemplate(object.generic, OBJECT_TAGS.request) ?? [], OBJECT_TAGS.maskedChip);
  expect(readMaskedTrack(Buffer.from(track ?? []).toString('latin1'))).toMatchObject({ last4Digits: '8112' });
});

describe('an ARQC object', () => {
  const whole = encodeTransactionObject(encodeAuthenticated(BODY), MAC);

  test('is length, F9, zeros to whole blocks, four bytes of MAC', () => {
    expect(whole.readUInt16BE()).toBeLessThanOrEqual(whole.length - 6);
    expect((whole.length - 4) % 8).toBe(0);
    const object = decodeTransactionObject(whole);
    expect(object).toMatchObject({ macKsn: KSN, macType: 0x82, mac: MAC.subarray(0, 4) });
    expect(object.authenticated).toEqual(encodeAuthenticated(BODY));
    expect(encipheredPart(object)).toEqual(PART);
  });

  test('may have fewer zeros than whole blocks need, as in the published example', () => {
    const end = 2 + whole.readUInt16BE();
    const tight = Buffer.concat([whole.subarray(0, end), MAC.subarray(0, 4)]);
    expect(encipheredPart(decodeTransactionObject(tight))).toEqual(PART);
  });

  test.each([
    [Buffer.alloc(3), 'too short'],
    [whole.subarray(0, -8), 'shorter than its length'],
    [Buffer.concat([whole.subarray(0, -4), Buffer.alloc(24), MAC.subarray(0, 4)]), 'zeros'],
    [Buffer.concat([whole.subarray(0, -4), Buffer.of(1), MAC.subarray(0, 4)]), 'zeros'],
    [Buffer.concat([fromHex('0002F800'), MAC.subarray(0, 4)]), 'F9'],
    [Buffer.concat([fromHex('0002F900'), MAC.subarray(0, 4)]), 'DFDF54'],
  ])('is refused when it is none: %#', (bytes, why) => {
    expect(() => decodeTransactionObject(bytes)).toThrow(why);
  });

  test('without its enciphered part is refused', () => {
    expect(() => encipheredPart({ generic: [] })).toThrow('DFDF59');
  });
});

describe('clear data', () => {
  const chip = [
    tlv('5A', fromHex('4200000000000000')),
    tlv('57', fromHex('4200000000000000D31122010000000F')),
    tlv('5F20', Buffer.from('DOE/JANE ')),
  ];

  test('hold the account of a chip, and its PIN block under its own key', () => {
    const pin = { ksn: KSN, block: MAC, format: 0 };
    const clear = encodeClearData([...chip, pinObject(pin, ENCRYPTION_TYPES.tdesPin)]);
    expect(readClearData(clear)).toEqual({
      pan: '4200000000000000',
      track2: '4200000000000000D31122010000000',
      expiry: '3112',
      holder: 'DOE/JANE',
      pin,
    });
  });

  test('hold a magstripe enciphered once more', () => {
    const track = { ksn: KSN, data: Buffer.alloc(40, 1), type: ENCRYPTION_TYPES.tdesData };
    expect(readClearData(encodeClearData([magstripeObject(track)]))).toEqual({
      magstripeTrack2: track,
    });
    const text = Buffer.concat([magstripeTrack2Text('4200000000000000=31122010000000'), Buffer.alloc(6)]);
    expect(readMagstripeTrack2(text)).toEqual({
      pan: '4200000000000000',
      expiry: '3112',
      track2: '4200000000000000D31122010000000',
    });
  });

  test.each([
    // As in the published example: the placeholders are the number, expiry, code and what was requested.
    [';5555555555555555=33330000004444000?', { pan: '5555555555555555', expiry: '3333', code: '4444' }],
    [';4200000000000000=3112000000123000?', { pan: '4200000000000000', expiry: '3112', code: '123' }],
    [';4200000000000000=3112000000000?', { pan: '4200000000000000', expiry: '3112' }],
  ])('hold a card that was keyed in as %s', (text, card) => {
    expect(magstripeTrack2Text(keyedInTrack2(card)).toString('latin1')).toBe(text);
    expect(readKeyedInTrack2(Buffer.concat([Buffer.from(text), Buffer.alloc(5)]))).toEqual(card);
  });

  test('of a swiped magstripe are no card that was keyed in', () => {
    for (const track2 of ['4200000000000000=31122010000000', '4200000000000000=3112000000123009'])
      expect(() => readKeyedInTrack2(magstripeTrack2Text(track2))).toThrow(
        'track 2: is none of a card number that was keyed in',
      );
  });

  test('of a batch name the PIN container and leave it empty', () => {
    const empty = tlv('F5', [
      tlv('DF71', Buffer.alloc(0)),
      tlv('99', Buffer.alloc(0)),
      tlv('DFDF41', Buffer.alloc(0)),
    ]);
    expect(readClearData(encodeClearData([...chip, empty]))).not.toHaveProperty('pin');
  });

  test('that are none are refused without a word of what they hold', () => {
    expect(() => readClearData(fromHex('5A084200000000000000'))).toThrow('must be one FC');
    expect(() => readMagstripeTrack2(Buffer.from(';4200000000000000'))).toThrow('track 2: is no track 2');
    expect(() => readClearData(encodeClearData([tlv('F5', [tlv('99', MAC)])]))).toThrow('DFDF41');
    expect(() => readClearData(encodeClearData([tlv('F4', [tlv('DFDF39', MAC)])]))).toThrow('DFDF50');
  });
});

describe('encryption types', () => {
  test('say the block, and what an AES key is for', () => {
    expect([ENCRYPTION_TYPES.tdesData, ENCRYPTION_TYPES.tdesMac].map(blockBytesOf)).toEqual([8, 8]);
    expect([ENCRYPTION_TYPES.aes128Data, 0xab].map(blockBytesOf)).toEqual([16, 16]);
    expect(aesUsageOf(ENCRYPTION_TYPES.tdesData)).toBeUndefined();
    expect([0x97, 0x98, 0x9a, 0x9b, 0xad].map(aesUsageOf)).toEqual([
      'pin',
      'macGeneration',
      'macBothWays',
      'dataEncrypt',
      'dataBothWays',
    ]);
    for (const type of [0x90, 0x95, 0x9e]) expect(() => aesUsageOf(type)).toThrow('not listed');
  });

  test('of AES fill an object to whole blocks of 16 bytes', () => {
    for (const [macType, bytes] of [
      [ENCRYPTION_TYPES.tdesMac, 8],
      [ENCRYPTION_TYPES.aes128Mac, 16],
    ] as const) {
      const authenticated = encodeAuthenticated({ ...BODY, macType });
      expect(authenticated.length % bytes).toBe(0);
      const object = decodeTransactionObject(encodeTransactionObject(authenticated, MAC));
      expect(object).toMatchObject({ macType, authenticated });
    }
  });
});

describe('small tables', () => {
  test('masked tracks, as the driver sets the device and as it comes', () => {
    const set = maskTrack('4200000000000075=31122010000000', { leading: 6, trailing: 4 }, '*');
    expect(set).toBe(';420000******0075=**************?');
    expect(readMaskedTrack(set)).toEqual({ bin: '420000', last4Digits: '0075' });
    expect(readMaskedTrack(';420000******0075=31122010000000?')).toMatchObject({ expiry: '3112' });
    expect(readMaskedTrack(';420000******0075=00000000000000?')).not.toHaveProperty('expiry');
    expect(readMaskedTrack('?')).toEqual({});
  });

  test('notifications, both ways', () => {
    expect(updateDetail('contact', 'requestData')).toBe('10080202');
    expect(readUpdate('20010500')).toEqual({ technology: 'contactless', what: 'collision' });
    expect(readUpdate('30010100')).toBeUndefined();
    expect(outcomeDetail('contact', 'declined')).toBe('10028000');
    expect(readOutcome('10020803')).toEqual({ technology: 'contact', outcome: 'failed' });
    expect(readOutcome('00030200')).toEqual({ technology: 'none', outcome: 'cancelledByUser' });
    expect(readOutcome('20000000')).toBeUndefined();
  });

  test('texts that the device can show', () => {
    expect(nearestDisplayString('APPROVED - REMOVE CARD')).toBe('removeCard');
    expect(nearestDisplayString('NOT APPROVED')).toBe('declined');
    expect(nearestDisplayString('THANK YOU')).toBe('welcome');
  });
});
