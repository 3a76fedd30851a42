import { describe, expect, test } from 'vitest';
import { fromHex, toHex } from '../../bytes.js';
import { tlv } from '../../emv/tlv.js';
import { TerminalFormatError } from '../format-error.js';
import { COMMANDS } from './commands.js';
import { decodeMessage, encodeNotification, encodeRequest, encodeResponse } from './message.js';
import { decodeProperties, decodeProperty, encodeProperty, encodePropertyTree } from './properties.js';
import { decodeResume, encodeResume, MAX_SCRIPT_BYTES } from './resume-transaction.js';
import { decodeStart, encodeStart } from './start-transaction.js';
import { STATUSES, statusOf, statusText } from './statuses.js';

// Frames as published with the commands.
const ECHO = 'AA0081040101DF018407DF018103010203';
const ECHOED = 'AA0081048201DF018204000000008407DF018103010203';
const START =
  'AA00810401001001843D100182013CA30981010182010183010184020003' +
  '86279C01009F02060000000001009F03060000000000005F2A0208405F3601029F150200009F530100';
/** With every reader off and manual entry on, as the maker's own browser host sends it. */
const START_MANUAL =
  'AA008104010610018442100182013CA30E810100820100830100840300000184020003' +
  '86279C01009F02060000000001009F03060000000000005F2A0208405F3601029F150200009F530100';
const STARTED = 'AA008104820110018204' + '01000000';
const LOW_BATTERY = 'AA008104820110018204' + '80020316';
const RESUME = 'AA00810401001004842110048101008201788417FF7414DFDF2508992690E116120710FA0670048A023030';
const RESUMED = 'AA008104820610048204' + '00000000' + '84021004';
const CANCEL = 'AA0081040113100884021008';
const GET_PROPERTY = 'AA0081040155D101840FD1018501018704020701018902C100';
const GOT_PROPERTY = 'AA0081048255D101820400000000' + '84820010' + 'D1018501018704020701018903C10100';
const SET_PROPERTY = 'AA0081040155D1118410D1118501018704020701018903C10100';
const SHOW = 'AA00810401551803840818038101008201' + '16';
const COMPLETE = 'AA0081048300010582' + '0420000000';

const parametersOf = (hex: string): Buffer => {
  const message = decodeMessage(fromHex(hex));
  if (message.kind === 'notification') throw new Error('no command');
  return message.parameters;
};

describe('messages', () => {
  test.each([ECHO, START, START_MANUAL, CANCEL, GET_PROPERTY, SET_PROPERTY, SHOW])(
    'request %s, both ways',
    (hex) => {
      const request = decodeMessage(fromHex(hex));
      if (request.kind !== 'request') throw new Error('no request');
      expect(toHex(encodeRequest(request))).toBe(hex);
    },
  );

  test.each([
    [ECHOED, false],
    [STARTED, true],
    [LOW_BATTERY, true],
    [RESUMED, false],
  ])('response %s, both ways', (hex, bare) => {
    const response = decodeMessage(fromHex(hex));
    if (response.kind !== 'response') throw new Error('no response');
    expect(toHex(encodeResponse(response, { bare }))).toBe(hex);
  });

  test('a notification, both ways', () => {
    const notification = decodeMessage(fromHex(COMPLETE));
    expect(notification).toEqual({
      kind: 'notification',
      id: 0x0105,
      detail: '20000000',
      payload: Buffer.alloc(0),
    });
    if (notification.kind !== 'notification') throw new Error('no notification');
    expect(toHex(encodeNotification(notification))).toBe(COMPLETE);
  });

  test('name the reference, the command and the status', () => {
    expect(decodeMessage(fromHex(LOW_BATTERY))).toMatchObject({
      reference: 1,
      command: COMMANDS.startTransaction,
    });
    const response = decodeMessage(fromHex(LOW_BATTERY));
    if (response.kind !== 'response') throw new Error('no response');
    expect(statusOf(response.status)).toBe(STATUSES.lowBattery);
    expect(statusText(response.status)).toBe('80 02 03 16');
    expect(statusOf({ summary: 0x80, detail: 0xf00102 }).hint).toBe('device-error');
    expect(statusOf({ summary: 0x81, detail: 0 }).hint).toBe('device-error');
  });

  test.each([
    ['', 'begin with AA'],
    ['AA00', 'information'],
    ['AA0081040501100184021001', 'type'],
    ['AA008104010110018402D101', 'number of its command'],
    ['AA00810482011001', 'detail'],
    ['AA0081048201', 'TLV'],
  ])('%s is refused', (hex, why) => {
    expect(() => decodeMessage(fromHex(hex))).toThrow(TerminalFormatError);
    expect(() => decodeMessage(fromHex(hex))).toThrow(why);
  });
});

describe('START TRANSACTION', () => {
  test('is the published bytes', () => {
    const start = decodeStart(parametersOf(START));
    expect(start).toMatchObject({
      timeoutSeconds: 60,
      magstripe: true,
      contact: true,
      contactless: true,
      quickChip: true,
    });
    expect(toHex(encodeStart(start))).toBe(toHex(parametersOf(START)));
  });

  test('requests full EMV and a PIN block format in their places', () => {
    const parameters = encodeStart({ ...decodeStart(parametersOf(START)), quickChip: false, pinFormat: 0 });
    expect(toHex(parameters)).toContain('A30C' + '810101' + '820101' + '830101' + '860100' + '84020002');
    expect(decodeStart(parameters)).toMatchObject({ quickChip: false, pinFormat: 0 });
  });

  test('with a card number to be keyed in is the published bytes', () => {
    const start = decodeStart(parametersOf(START_MANUAL));
    expect(start).toMatchObject({
      magstripe: false,
      contact: false,
      contactless: false,
      manual: { keySounds: true },
    });
    expect(toHex(encodeStart(start))).toBe(toHex(parametersOf(START_MANUAL)));
  });

  test('of manual entry needs no transaction, and leaves no reader on', () => {
    expect(decodeStart(fromHex('82013C' + 'A30E' + '810100820100830100' + '8403000000'))).toMatchObject({
      manual: { keySounds: false },
      transaction: [],
    });
    const fault = 'must disable every reader except manual entry';
    expect(() => decodeStart(fromHex('82013C' + 'A305' + '8403000000'))).toThrow(fault);
    const start = { ...decodeStart(parametersOf(START)), manual: { keySounds: false } };
    expect(() => encodeStart(start)).toThrow(fault);
    for (const mode of ['84020000', '8403010000', '8403000100', '8403000002']) {
      const readers = `810100820100830100${mode}`;
      const length = (readers.length / 2).toString(16).padStart(2, '0');
      expect(() => decodeStart(fromHex(`82013CA3${length}${readers}`))).toThrow('manual entry mode');
    }
  });

  test('can put a button on the page that prompts for a card', () => {
    const parameters = encodeStart({ ...decodeStart(parametersOf(START)), rightButton: 0x0023 });
    expect(toHex(parameters)).toBe(`${toHex(parametersOf(START))}AC0483020023`);
    expect(decodeStart(parameters)).toMatchObject({ rightButton: 0x0023 });
    expect(() => decodeStart(Buffer.concat([parametersOf(START), fromHex('AC03830123')]))).toThrow('button');
  });

  test('needs a time, the type and the amount', () => {
    expect(() => decodeStart(fromHex('84020002'))).toThrow('timeout');
    expect(() => decodeStart(fromHex('82013C84020000'))).toThrow('DynaPro');
    expect(() => decodeStart(fromHex('82013C84020002' + '86039C0100'))).toThrow('9F02');
  });
});

describe('RESUME TRANSACTION', () => {
  test('carries the answer as in the published bytes', () => {
    expect(decodeResume(parametersOf(RESUME))).toEqual({
      serial: fromHex('992690E116120710'),
      objects: [tlv('8A', Buffer.from('00'))],
    });
    // The example has a parameter that the text does not know (82); without it the bytes are the same.
    const encoded = toHex(encodeResume(decodeResume(parametersOf(RESUME))));
    expect(encoded).toBe('8101008417FF7414DFDF2508992690E116120710FA0670048A023030');
  });

  test('refuses a script that is longer than the device takes, and an answer without a code', () => {
    const objects = [tlv('8A', Buffer.from('00')), tlv('72', [tlv('86', Buffer.alloc(MAX_SCRIPT_BYTES))])];
    expect(() => encodeResume({ serial: Buffer.of(1), objects })).toThrow('at most 128');
    const bare = encodeResume({ serial: Buffer.of(1), objects: [] });
    expect(() => decodeResume(bare)).toThrow('8A');
  });
});

describe('properties as a tree', () => {
  // Requests of the maker's published host code, and the example of the manual for an answer.
  test.each([
    ['81072B06010401F609850102890AE208E106E104E102C100', 'serialNumber'],
    ['81072B06010401F609850102890AE108E206E204E202C200', 'firmwareVersion'],
  ] as const)('%s requests %s', (request, name) => {
    const requested = { form: 'tree', properties: [{ name, value: Buffer.alloc(0) }] };
    expect(decodeProperties(fromHex(request))).toEqual(requested);
    expect(toHex(encodePropertyTree([[name, Buffer.alloc(0)]]))).toBe(request);
  });

  test('an answer has the same tree with its value', () => {
    const answer = '81072B06010401F609850102891CE11AE218E716E114C112313030303030393332372D41302D50434900';
    const [property] = decodeProperties(fromHex(answer)).properties;
    // The firmware of another chip, which is not used here.
    expect(property).toEqual({ name: undefined, value: Buffer.from('1000009327-A0-PCI\0') });
  });

  test('several properties share their templates', () => {
    const values = [
      ['modelName', Buffer.of(1)],
      ['firmwareVersion', Buffer.of(2)],
      ['serialNumber', Buffer.of(3)],
    ] as const;
    const bytes = encodePropertyTree(values);
    expect(toHex(bytes)).toBe(
      '81072B06010401F6098501028919E10CE20AE208E206C10101C20102E209E107E105E103C10103',
    );
    expect(decodeProperties(bytes).properties).toEqual(values.map(([name, value]) => ({ name, value })));
  });
});

describe('properties', () => {
  test('are the published bytes', () => {
    expect(toHex(encodeProperty('resetNotification'))).toBe(toHex(parametersOf(GET_PROPERTY)));
    expect(toHex(encodeProperty('resetNotification', Buffer.of(0)))).toBe(toHex(parametersOf(SET_PROPERTY)));
    expect(decodeProperty(parametersOf(GOT_PROPERTY))).toEqual({
      name: 'resetNotification',
      value: Buffer.of(0),
    });
  });

  test('of other names are distinguished from broken ones', () => {
    expect(decodeProperty(fromHex('8501018704020701018902DE00')).name).toBeUndefined();
    expect(() => decodeProperty(fromHex('850101'))).toThrow('remainder');
    expect(() => decodeProperties(fromHex('850101870402070101890180'))).toThrow(TerminalFormatError);
    expect(() => decodeProperties(fromHex('8501018903DF0100'))).toThrow('C0');
    expect(() => decodeProperty(fromHex('8501018704020701018904C100C200'))).toThrow('one number');
  });
});
