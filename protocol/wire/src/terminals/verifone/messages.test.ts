import { describe, expect, test } from 'vitest';
import { fromHex } from '../../bytes.js';
import { compressedNumeric } from '../../emv/compressed-numeric.js';
import { findTlv, tlv } from '../../emv/tlv.js';
import { TerminalFormatError } from '../format-error.js';
import { decodeAccountData, padPkcs7 } from './account-data.js';
import { COMMANDS, commandOf, detectionTime } from './commands.js';
import {
  decodeCommand,
  decodeContainer,
  decodeMessage,
  encodeCommand,
  encodeContainer,
  encodeStatus,
  isReply,
} from './messages.js';
import {
  obfuscatedText,
  obfuscatePan,
  obfuscateTrack2,
  readObfuscatedPan,
  readObfuscatedTrack2,
} from './obfuscated.js';
import { STATUSES, statusOf } from './statuses.js';
import { TAGS } from './tags.js';

describe('messages', () => {
  test('the published answer to the host online is written as in the EMV guide', () => {
    const data = encodeContainer([
      tlv(TAGS.onlineResult, Buffer.of(1)),
      tlv('8A', Buffer.from('00')),
      tlv(TAGS.issuerAuthentication, fromHex('91081122334455667788')),
      tlv('89', Buffer.alloc(6)),
    ]);
    expect(
      encodeCommand({ ...COMMANDS.ctOnline, p1: 0, p2: 0, data })
        .toString('hex')
        .toUpperCase(),
    ).toBe('39120000F01DDF5001018A023030DF520A910811223344556677888906000000000000');
  });

  test('requests, notifications and answers are distinguished', () => {
    expect(decodeMessage(fromHex('9101F00BBF0808DF790100DF410101'))).toMatchObject({
      kind: 'request',
      sw: 0x9101,
    });
    expect(decodeMessage(fromHex('9E01F000')).kind).toBe('notification');
    expect(decodeMessage(fromHex('90E2F0059F27018000')).kind).toBe('answer');
    expect(decodeMessage(encodeStatus(0x6500))).toEqual({
      kind: 'answer',
      sw: 0x6500,
      data: Buffer.alloc(0),
    });
    expect(isReply(fromHex('9200F004DF790100'))).toBe(true);
    expect(isReply(fromHex('39000000'))).toBe(false);
    expect(() => decodeMessage(fromHex('90'))).toThrow(TerminalFormatError);
  });

  test('commands are read as they were written', () => {
    const command = { cla: 0x23, ins: 0x01, p1: 0, p2: 0x78, data: Buffer.from(fromHex('F005DFA1080107')) };
    expect(decodeCommand(encodeCommand(command))).toEqual(command);
    expect(() => decodeCommand(fromHex('230100'))).toThrow('at least 4');
    expect(commandOf(0x23, 0x01)).toBe('cardDetection');
    expect(commandOf(0x23, 0x99)).toBe('unknown-ins');
    expect(commandOf(0x12, 0x01)).toBe('unknown-class');
  });

  test('data are objects in one container', () => {
    expect(findTlv(decodeContainer(fromHex('F005DFA1080107')), TAGS.technology)).toEqual(fromHex('07'));
    expect(decodeContainer(Buffer.alloc(0))).toEqual([]);
    expect(() => decodeContainer(fromHex('DFA1080107'))).toThrow('container');
    expect(() => decodeContainer(fromHex('F0059F'))).toThrow('BER-TLV');
    expect(() => decodeContainer(fromHex('E104F0028200'))).toThrow('container');
  });

  test('card detection counts halves of a second, or ten times as long', () => {
    expect(detectionTime(60_000)).toEqual({ p2: 120, timesTen: false });
    expect(detectionTime(3_001)).toEqual({ p2: 7, timesTen: false });
    expect(detectionTime(0)).toEqual({ p2: 1, timesTen: false });
    expect(detectionTime(180_000)).toEqual({ p2: 36, timesTen: true });
    expect(detectionTime(10_000_000)).toEqual({ p2: 0xfe, timesTen: true });
  });
});

describe('tables', () => {
  test('no two commands share a header, no two statuses a word', () => {
    const headers = Object.values(COMMANDS).map(({ cla, ins }) => (cla << 8) | ins);
    expect(new Set(headers).size).toBe(headers.length);
    const words = Object.values(STATUSES).map(({ code }) => code);
    expect(new Set(words).size).toBe(words.length);
    expect(statusOf(0x90e2).hint).toBe('online');
    expect(statusOf(0x1234)).toEqual({ code: 0x1234, meaning: 'unknown status', hint: 'device-error' });
  });
});

describe('obfuscated accounts', () => {
  const PAN = '4200000000000075';
  const TRACK_2 = `${PAN}=31121011234567`;

  test('are written as in the guide and read again', () => {
    expect(obfuscatePan(PAN)).toBe('420000FFFFFF0075');
    expect(obfuscateTrack2(TRACK_2)).toBe('420000FFFFFF0075DFFFF101FFFFFFF');
    const open = { bin: '420000', last4Digits: '0075' };
    expect(readObfuscatedPan(compressedNumeric(obfuscatePan(PAN)))).toEqual(open);
    expect(readObfuscatedPan(compressedNumeric(obfuscatePan('420000000000075')))).toEqual({ ...open });
    expect(readObfuscatedPan(Buffer.from(obfuscatedText(obfuscatePan(PAN))))).toEqual(open);
    expect(readObfuscatedTrack2(compressedNumeric(obfuscateTrack2(TRACK_2)))).toEqual({
      ...open,
      serviceCode: '101',
    });
  });

  test("the guide's own examples are read", () => {
    expect(readObfuscatedTrack2(fromHex('457199FFFFFF7304DFFFF201FFFFFFFFFFFFFF'))).toEqual({
      bin: '457199',
      last4Digits: '7304',
      serviceCode: '201',
    });
    expect(readObfuscatedTrack2(Buffer.from('457199XXXXXX7304DXXXX201XXXXXXXXXXXX'))).toEqual({
      bin: '457199',
      last4Digits: '7304',
      serviceCode: '201',
    });
    expect(readObfuscatedPan(fromHex('476173FFFFFFFFFF'))).toEqual({ bin: '476173' });
  });

  test('eight and two open digits leave the bin alone', () => {
    expect(readObfuscatedPan(fromHex('42000000FFFFFF75'))).toEqual({ bin: '420000' });
  });

  test('nothing is read of anything else', () => {
    expect(readObfuscatedPan(Buffer.from('hello'))).toEqual({});
    expect(readObfuscatedTrack2(Buffer.from('42'))).toEqual({});
  });
});

describe('account data', () => {
  const padded = (hex: string) => padPkcs7(fromHex(hex), 8);

  test('PAN, track 2 and expiry come out', () => {
    expect(
      decodeAccountData(
        padded('5A084200000000000075' + '57134200000000000075D31121011234567000000F' + '5F2403311231'),
      ),
    ).toEqual({ pan: '4200000000000075', track2: '4200000000000075D31121011234567000000', expiry: '3112' });
    expect(decodeAccountData(padded('570C4200000000000075D3112101'))).toEqual({
      pan: '4200000000000075',
      track2: '4200000000000075D3112101',
      expiry: '3112',
    });
    expect(decodeAccountData(padded('5A084200000000000075'))).toEqual({ pan: '4200000000000075' });
  });

  test.each([
    ['no padding', '5A08420000000000'],
    ['nothing', ''],
    ['no PAN', '5F24033112310202'],
    ['no TLV', '5A7F420000000001'],
  ])('%s is refused', (_, hex) => {
    expect(() => decodeAccountData(fromHex(hex))).toThrow(TerminalFormatError);
  });
});
