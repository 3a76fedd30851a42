import { describe, expect, test } from 'vitest';
import { fromHex, toHex } from '../../bytes.js';
import { tlv } from '../../emv/tlv.js';
import { TerminalFormatError } from '../format-error.js';
import { decodeAccountData, encodePanBlock, encodeTrackBlock } from './account-data.js';
import {
  type Callback,
  decodeCallback,
  decodeCallbackAnswer,
  encodeCallback,
  encodeCallbackAnswer,
} from './callbacks.js';
import {
  decodeCoded,
  decodeDisplay,
  decodeKeySerialNumber,
  decodeKeySlot,
  decodePresentCard,
  encodeCoded,
  encodeDisplay,
  encodeKeySlot,
} from './commands.js';
import {
  DIALOG_FIELDS,
  decodeDialog,
  decodeDialogAnswer,
  EXPIRY_FORMATS,
  encodeDialog,
  encodeDialogAnswer,
} from './dialog.js';
import { FUNCTIONS, functionName, isNotification } from './functions.js';
import {
  DATA_TYPES,
  decodeGetData,
  decodeGetTlvList,
  decodeKernelData,
  encodeGetData,
  encodeGetTlvList,
  encodeKernelData,
} from './kernel-data.js';
import { decodeEncipheredPan, encodeEncipheredPan, maskPan, readMaskedPan } from './masked-pan.js';
import { answerType, decodeMessage, MESSAGES, messageName } from './messages.js';
import {
  decodeComplete,
  decodeCompleteAnswer,
  decodePerform,
  decodePerformAnswer,
  encodeComplete,
  encodeCompleteAnswer,
  encodePerform,
  encodePerformAnswer,
} from './perform.js';
import { ERRORS, errorOf, RESULTS, resultName } from './statuses.js';
import { CARD_WAYS, KEY_SYSTEMS, TAGS } from './tags.js';

const PAN = '4200000000000000';

describe('messages', () => {
  test.each([
    ['32', '33'],
    ['34', '35'],
    ['7g', '7h'],
    ['8C', '8D'],
    ['BM', 'BN'],
    ['J0', 'J1'],
    ['L0', 'L1'],
    ['90', '91'],
  ])('%s is answered by %s', (request, answer) => {
    expect(answerType(request)).toBe(answer);
  });

  test('have a known name, or none', () => {
    expect(messageName('BM')).toBe('cardPresence');
    expect(messageName('XX')).toBeUndefined();
    expect(new Set(Object.values(MESSAGES).map(({ type }) => type)).size).toBe(Object.keys(MESSAGES).length);
  });

  test.each(['', '9', '90', '90x', '!!/'])('%j is none', (text) => {
    expect(() => decodeMessage(Buffer.from(text))).toThrow(TerminalFormatError);
  });

  test('notifications are two functions alone', () => {
    const ids = Object.values(FUNCTIONS).map(({ id }) => id);
    expect(ids.filter(isNotification)).toEqual([0x21, 0x36]);
    expect(functionName(0x31)).toBe('perform');
    expect(functionName(0x99)).toBeUndefined();
  });
});

describe('transactions', () => {
  const objects = [tlv('9F02', fromHex('000000001234')), tlv(TAGS.forceOnline, Buffer.of(1))];

  test('PERFORM: ways, seconds, objects', () => {
    const request = { cardWays: CARD_WAYS.contact | CARD_WAYS.contactless, timeoutSeconds: 60, objects };
    const bytes = encodePerform(request);
    expect(toHex(bytes)).toBe('060000003C000E9F02060000000012341F81260101');
    expect(decodePerform(bytes)).toEqual(request);
  });

  test('PERFORM: result, error and objects of the answer', () => {
    const answer = {
      result: RESULTS.terminated,
      verification: 0,
      error: ERRORS.cancel.code,
      scheme: 0,
      objects: [tlv('9F39', Buffer.of(5))],
    };
    const bytes = encodePerformAnswer(answer);
    expect(toHex(bytes)).toBe('0100FFFFFE0A00000000049F390105');
    expect(decodePerformAnswer(bytes)).toEqual(answer);
  });

  test('COMPLETE both ways', () => {
    const request = { online: true, objects: [tlv('8A', Buffer.from('00'))] };
    expect(toHex(encodeComplete(request))).toBe('0100048A023030');
    expect(decodeComplete(encodeComplete(request))).toEqual(request);
    const answer = { result: RESULTS.approved, error: 0 };
    expect(decodeCompleteAnswer(encodeCompleteAnswer(answer))).toEqual(answer);
  });

  test.each(['', '06', '060000003C', '060000003C00FF9F02', '060000003C00039F0206', '060000003C000000'])(
    'PERFORM of %s is refused',
    (hex) => {
      expect(() => decodePerform(fromHex(hex))).toThrow(TerminalFormatError);
    },
  );

  test('results and errors have names', () => {
    expect(resultName(5)).toBe('online');
    expect(resultName(9)).toBeUndefined();
    expect(errorOf(-503)).toMatchObject({ hint: 'timed-out' });
    expect(errorOf(-599)).toMatchObject({ hint: 'failed' });
  });
});

describe('callbacks', () => {
  const all: readonly Exclude<Callback, { kind: 'other' }>[] = [
    { kind: 'ui-event', event: 0, data: Buffer.of(7) },
    { kind: 'get-pin', pinType: 0 },
    { kind: 'after-final-select', face: 1, aid: fromHex('A0000000031010') },
  ];
  test.each(all)('$kind comes back', (callback) => {
    expect(decodeCallback(encodeCallback(callback))).toEqual(callback);
  });

  test('one that is not used is named by its id', () => {
    expect(decodeCallback(Buffer.of(14, 1, 2))).toEqual({ kind: 'other', id: 14 });
  });

  test('the answer has a result and objects', () => {
    const answer = { result: ERRORS.cancel.code, objects: [tlv(TAGS.pinTimeout, Buffer.of(60))] };
    const bytes = encodeCallbackAnswer(answer);
    expect(toHex(bytes)).toBe('FFFFFFFE0A000000051F8138013C');
    expect(decodeCallbackAnswer(bytes)).toEqual(answer);
  });
});

describe('what the maker’s demo host sends', () => {
  // DavAlex95/NewLandP180: src/emv_callback.c (an online PIN under DUKPT, slot 1), src/emv_l3process.c, src/txn_process.c.
  test('to a request for a PIN', () => {
    const bytes = fromHex('FF000000000000001D1F813601011F813701011F81350A000405060708090A0B0C1F8138013C');
    const answer = {
      result: 0,
      objects: [
        tlv(TAGS.pinKeySystem, Buffer.of(KEY_SYSTEMS.dukpt)),
        tlv(TAGS.pinKeySlot, Buffer.of(1)),
        tlv(TAGS.pinLengths, Buffer.of(0, 4, 5, 6, 7, 8, 9, 10, 11, 12)),
        tlv(TAGS.pinTimeout, Buffer.of(60)),
      ],
    };
    expect(decodeCallbackAnswer(bytes)).toEqual(answer);
    expect(encodeCallbackAnswer(answer)).toEqual(bytes);
  });

  test('to begin a sale: ways, seconds, and objects of which the driver needs some', () => {
    const objects = [
      '1F81210107 9F0206000000001234 9C0100 9A03261120 9F2103101500',
      '1F8126 01 01 1F8124 06 000000005000 1F8129 03 C00000 1F8139 03 810100 1F8130 01 0B',
    ]
      .join('')
      .replaceAll(' ', '');
    const length = (objects.length / 2).toString(16).padStart(4, '0');
    const request = decodePerform(fromHex(`070000003C${length}${objects}`));
    expect(request).toMatchObject({ cardWays: 7, timeoutSeconds: 60 });
    const tags = [
      TAGS.cardWays,
      '9F02',
      '9C',
      '9A',
      '9F21',
      TAGS.forceOnline,
      TAGS.indicators,
      TAGS.callbacks,
    ];
    expect(request.objects.map(({ tag }) => tag)).toEqual(expect.arrayContaining(tags));
    expect(toHex(encodePerform(request))).toBe(`070000003C${length}${objects}`.toUpperCase());
  });
});

describe('data of the kernel', () => {
  test('GET DATA', () => {
    const request = { keySlot: 129, type: DATA_TYPES.track2, maxBytes: 64 };
    expect(toHex(encodeGetData(request))).toBe('81000000020040');
    expect(decodeGetData(encodeGetData(request))).toEqual(request);
  });

  test('GET TLV LIST', () => {
    const request = { keySlot: 0, tags: ['82', '9F26', '1F8155'], maxBytes: 1_024 };
    expect(toHex(encodeGetTlvList(request))).toBe('0003040001' + '0006' + '829F261F8155');
    expect(decodeGetTlvList(encodeGetTlvList(request))).toEqual(request);
  });

  test.each(['0003040001000182', '00010400010001 9F', '0001040001000282'])('list %s is refused', (hex) => {
    expect(() => decodeGetTlvList(fromHex(hex.replaceAll(' ', '')))).toThrow(TerminalFormatError);
  });

  test('the answer has its true length where it is enciphered', () => {
    const data = Buffer.alloc(48, 7);
    const enciphered = encodeKernelData({ kind: 'data', data, actualBytes: 37 }, 129);
    expect(toHex(enciphered.subarray(0, 5))).toBe('0000250030');
    expect(decodeKernelData(enciphered, 129)).toEqual({ kind: 'data', data, actualBytes: 37 });
    const clear = encodeKernelData({ kind: 'data', data, actualBytes: 48 }, 0);
    expect(decodeKernelData(clear, 0)).toEqual({ kind: 'data', data, actualBytes: 48 });
    expect(decodeKernelData(encodeKernelData({ kind: 'absent' }, 0), 0)).toEqual({ kind: 'absent' });
  });
});

describe('small commands', () => {
  test('key slots are 1 to 250', () => {
    expect(decodeKeySlot(encodeKeySlot(250))).toBe(250);
    for (const slot of [0, 251]) {
      expect(() => encodeKeySlot(slot)).toThrow(TerminalFormatError);
      expect(() => decodeKeySlot(Buffer.of(slot))).toThrow(TerminalFormatError);
    }
  });

  test('answers have a code', () => {
    const body = encodeCoded('00', fromHex('FFFF9876543210E00001'));
    expect(decodeCoded(body)).toMatchObject({ code: '00' });
    expect(toHex(decodeKeySerialNumber(decodeCoded(body).data))).toBe('FFFF9876543210E00001');
    expect(() => decodeCoded(Buffer.from('0'))).toThrow(TerminalFormatError);
    expect(() => decodePresentCard(Buffer.alloc(0))).toThrow(TerminalFormatError);
  });

  test('DISPLAY ends each of its four rows with a separator', () => {
    const body = encodeDisplay(['PAY', '12.34']);
    expect(body.toString('latin1')).toBe('PAY\u001c12.34\u001c\u001c\u001c');
    expect(decodeDisplay(body)).toEqual(['PAY', '12.34']);
    expect(() => decodeDisplay(Buffer.from('PAY'))).toThrow(TerminalFormatError);
  });
});

describe('the input dialog', () => {
  const field = {
    field: DIALOG_FIELDS.expiry,
    format: EXPIRY_FORMATS.yearMonth,
    minLength: 4,
    maxLength: 4,
    timeoutSeconds: 60,
  };

  test('requests fields', () => {
    expect(toHex(encodeDialog([field]))).toBe('0000' + '01' + '05000204' + '04003C');
    expect(decodeDialog(encodeDialog([field, field]))).toEqual([field, field]);
  });

  test('gives what was keyed in', () => {
    const values = new Map([[DIALOG_FIELDS.expiry, '3112']]);
    expect(toHex(encodeDialogAnswer(values))).toBe('0009DF0500000433313132');
    expect(decodeDialogAnswer(encodeDialogAnswer(values))).toEqual(values);
  });

  test.each(['', '0001DF', '0009DE0500000433313132', '0009DF0500000933313132'])('%s is none', (hex) => {
    expect(() => decodeDialogAnswer(fromHex(hex))).toThrow(TerminalFormatError);
  });
});

describe('account data', () => {
  test.each([
    [
      encodeTrackBlock(`${PAN}=31122010000000`),
      { pan: PAN, track2: `${PAN}D31122010000000`, expiry: '3112' },
    ],
    [
      encodeTrackBlock(`${PAN}D31122010000000F`),
      { pan: PAN, track2: `${PAN}D31122010000000`, expiry: '3112' },
    ],
    [encodePanBlock(PAN), { pan: PAN }],
  ])('are read, case %#', (block, expected) => {
    expect(block.length % 16).toBe(0);
    expect(decodeAccountData(block)).toEqual(expected);
  });

  test('bytes of a wrong key are none', () => {
    expect(() => decodeAccountData(fromHex('0123456789ABCDEF0123456789ABCDEF'))).toThrow(TerminalFormatError);
  });

  test('an enciphered card number shows six and four digits', () => {
    const data = encodeEncipheredPan(Buffer.alloc(32, 9), PAN);
    expect(decodeEncipheredPan(data)).toEqual({
      cipher: Buffer.alloc(32, 9),
      masked: { bin: '420000', last4Digits: '0000' },
    });
    expect(maskPan(PAN)).toBe('420000******0000');
    expect(readMaskedPan(PAN)).toEqual({});
  });
});
