import { describe, expect, it } from 'vitest';
import { fromHex, toHex } from '../../bytes.js';
import { describeMessage } from '../describe/describe.js';
import { macOf, packCoded, packExchange, unpackExchange } from '../exchange/exchange-codec.js';
import type { ExchangeMessage } from '../exchange/exchange-message.js';
import { packMessage, unpackMessage } from '../message.js';
import { framed, MessageFrames } from '../message-frames.js';
import { type DialectChanges, DialectError, dialectOf } from './dialect-changes.js';
import type { DialectName } from './dialect-names.js';
import { DIALECT_TABLES, DIALECTS, type Dialect } from './dialects.js';

const changed = (name: DialectName, changes: DialectChanges): Dialect =>
  dialectOf(DIALECT_TABLES[name], changes);

const AT = '20261123012200';
const AT_MS = Date.UTC(2026, 10, 23, 1, 22);
const SALE: ExchangeMessage = {
  kind: 'financial',
  isAdvice: false,
  isResponse: false,
  isRepeat: false,
  stan: '000042',
  at: AT,
  transaction: 'purchase',
  amount: { minor: 1234, currency: 'ARS' },
  entryMode: 'chip',
  pan: '4761739001010010',
  expiry: '3112',
  iccData: '9F2701809F3602001C',
  terminalId: '00000001',
  merchantId: '000000000000001',
};

/** As jPOS packages by its iso87ascii.xml: everything as text, bitmaps and binary fields as hex digits. */
const JPOS_ASCII: DialectChanges = {
  bitmap: 'hex',
  fields: Object.fromEntries([52, 64, 96, 128].map((field) => [field, { encoding: 'hex' as const }])),
};

/** The shape of messages in a public log of an acquirer in Argentina. */
const ARGENTINA: DialectChanges = {
  header: { tpdu: '6007210000' },
  timeZone: 'America/Argentina/Buenos_Aires',
  matchedBy: [11, 41],
  fields: {
    24: { value: '721' },
    46: { format: 'ans...999', value: '000000000000000000000' },
    55: { encoding: 'hexText' },
    59: { presence: 'optional' },
    60: { format: 'ans...100', value: '001000000000000' },
    62: { presence: 'never' },
    63: { resultName: 'HostMessage' },
  },
};

describe('jPOS iso87ascii', () => {
  const dialect = changed('1987-ascii', JPOS_ASCII);

  it('has hex digits for bitmaps, PIN blocks and codes', () => {
    const text = packExchange(dialect, { ...SALE, pinBlock: '0123456789ABCDEF' }, true).toString('latin1');
    // Fields 2 to 4, 7, 11 to 14, 22, 25, 26, 41, 42, 49, 52, 55 and 64.
    expect(text.slice(0, 38)).toBe('0200723C04C000C09201164761739001010010');
    expect(text).toContain('9780123456789ABCDEF018'.replace('978', '032'));
    expect(text.endsWith('0'.repeat(16))).toBe(true);
  });

  it('has its code as hex digits, which cover everything before them', () => {
    const { bytes, covered, putCode } = packCoded(dialect, SALE);
    expect(covered).toHaveLength(bytes.length - 16);
    putCode(fromHex('A1A2A3A4A5A6A7A8'));
    expect(bytes.subarray(-16).toString('latin1')).toBe('A1A2A3A4A5A6A7A8');
    expect(toHex(macOf(dialect, bytes) ?? new Uint8Array())).toBe('A1A2A3A4A5A6A7A8');
    expect(unpackExchange(dialect, bytes, AT_MS)).toMatchObject({ pan: SALE.pan, iccData: SALE.iccData });
  });

  it('writes and reads fields 52, 64, 96 and 128', () => {
    const fields = { 52: '01'.repeat(8), 96: 'AB'.repeat(16), 128: 'FF'.repeat(8) };
    const packed = packMessage(dialect, { mti: '0800', fields });
    expect(packed.toString('latin1')).toBe(
      `0800${'8000000000001000'}${'0000000100000001'}${'01'.repeat(8)}${'AB'.repeat(16)}${'FF'.repeat(8)}`,
    );
    expect(unpackMessage(dialect, packed)).toEqual({ mti: '0800', fields });
  });
});

describe('moov-io/iso8583, its ASCII specification of 1987', () => {
  /** Everything as text, bitmaps and binary fields as hex digits, and a longer field 44. */
  const dialect = changed('1987-ascii', {
    bitmap: 'hex',
    fields: {
      ...{ 44: { format: 'ans..99' }, 52: { encoding: 'hex' } },
      ...{ 64: { encoding: 'hex' }, 128: { encoding: 'hex' } },
    },
  });
  /** What its specs/spec87ascii.go has: length of each field, and digits of the length in front. */
  const LENGTHS: Readonly<Record<number, readonly [length: number, digits: number]>> = {
    ...{ 2: [19, 2], 3: [6, 0], 4: [12, 0], 5: [12, 0], 6: [12, 0], 7: [10, 0], 8: [8, 0], 9: [8, 0] },
    ...{ 10: [8, 0], 11: [6, 0], 12: [6, 0], 13: [4, 0], 14: [4, 0], 15: [4, 0], 16: [4, 0], 17: [4, 0] },
    ...{ 18: [4, 0], 19: [3, 0], 20: [3, 0], 21: [3, 0], 22: [3, 0], 23: [3, 0], 24: [3, 0], 25: [2, 0] },
    ...{ 26: [2, 0], 27: [1, 0], 28: [9, 0], 29: [9, 0], 30: [9, 0], 31: [9, 0], 32: [11, 2], 33: [11, 2] },
    ...{
      34: [28, 2],
      35: [37, 2],
      36: [104, 3],
      37: [12, 0],
      38: [6, 0],
      39: [2, 0],
      40: [3, 0],
      41: [8, 0],
    },
    ...{ 42: [15, 0], 43: [40, 0], 44: [99, 2], 45: [76, 2], 46: [999, 3], 47: [999, 3], 48: [999, 3] },
    ...{ 49: [3, 0], 50: [3, 0], 51: [3, 0], 52: [8, 0], 53: [16, 0], 54: [120, 3], 55: [999, 3] },
    ...Object.fromEntries([56, 57, 58, 59, 60, 61, 62, 63].map((field) => [field, [999, 3]])),
    ...{ 64: [8, 0], 90: [42, 0] },
  };
  const HEX_DIGITS: ReadonlySet<number> = new Set([52, 64]);

  /** Reads a message by these lengths, with nothing of the codec. */
  function readByLengths(text: string): Readonly<Record<number, string>> {
    let at = 4;
    const take = (length: number): string => {
      at += length;
      return text.slice(at - length, at);
    };
    const bits = [...take(16)]
      .map((digit) => Number.parseInt(digit, 16).toString(2).padStart(4, '0'))
      .join('');
    const more = bits.startsWith('1')
      ? [...take(16)].map((digit) => Number.parseInt(digit, 16).toString(2).padStart(4, '0')).join('')
      : '';
    const fields: Record<number, string> = {};
    for (const [index, bit] of [...bits, ...more].entries()) {
      const [length, digits] = LENGTHS[index + 1] ?? [0, 0];
      if (bit === '0' || index === 0) continue;
      const size = HEX_DIGITS.has(index + 1) ? length * 2 : length;
      fields[index + 1] = take(digits === 0 ? size : Number(take(digits)));
    }
    expect(at).toBe(text.length);
    return fields;
  }

  it('has the same length and length digits in each field', () => {
    for (const [field, [length, digits]] of Object.entries(LENGTHS)) {
      const spec = dialect.fields[Number(field)];
      expect([field, spec?.maxLength, spec?.lengthDigits]).toEqual([field, length, digits]);
    }
  });

  it('reads and writes the message of its documentation', () => {
    const published = '01007000000000000000164242424242424242123456000000000100';
    const message = { mti: '0100', fields: { 2: '4242424242424242', 3: '123456', 4: '000000000100' } };
    expect(packMessage(dialect, message).toString('latin1')).toBe(published);
    expect(unpackMessage(dialect, Buffer.from(published, 'latin1'))).toEqual(message);
  });

  it.each([
    ['sale', SALE],
    [
      'reversal',
      { ...SALE, kind: 'reversal', isAdvice: true, original: { type: SALE, stan: '000041', at: AT } },
    ],
  ] as const)('a reader of its lengths reads a %s', (_, message) => {
    const pinBlock = '0123456789ABCDEF';
    const text = packExchange(dialect, { ...message, pinBlock }, false).toString('latin1');
    expect(readByLengths(text)).toMatchObject({
      ...{ 2: SALE.pan, 4: '000000001234', 7: AT.slice(4), 11: SALE.stan, 14: SALE.expiry },
      ...{ 41: SALE.terminalId, 42: SALE.merchantId, 52: pinBlock, 55: SALE.iccData },
      ...('original' in message && { 90: `02000000411123012200${'0'.repeat(22)}` }),
    });
  });
});

it('jPOS iso87binary is the base dialect without a change', () => {
  expect(changed('1987-binary', {})).toEqual(DIALECTS['1987-binary']);
  const packed = packMessage(changed('1987-binary', {}), {
    mti: '0800',
    fields: { 11: '000001', 41: '29110001', 70: '301' },
  });
  expect(toHex(packed)).toBe('0800802000000080000004000000000000000000013239313130303031' + '0301');
});

describe('the log of an acquirer in Argentina', () => {
  const dialect = changed('1987-binary', ARGENTINA);
  const packed = packExchange(dialect, SALE, false);
  const { mti, fields } = unpackMessage(dialect, packed);

  it('has the header of its network in front', () => {
    const frame = framed(packed, dialect.line);
    expect(toHex(frame.subarray(2, 9))).toBe('60072100000200');
    expect(frame.readUInt16BE(0)).toBe(packed.length + 5);
  });

  it('has clocks of its time zone in 12 and 13, and UTC in 7', () => {
    expect([fields[7], fields[12], fields[13]]).toEqual(['1123012200', '222200', '1122']);
  });

  it('has the network in 24, private fields, card data as text, and no code', () => {
    expect(mti).toBe('0200');
    expect(fields).toMatchObject({ 24: '721', 46: '0'.repeat(21), 60: '001000000000000' });
    expect(fields[64] ?? fields[128]).toBeUndefined();
    const text = Buffer.from(SALE.iccData ?? '', 'latin1');
    expect(toHex(packed)).toContain(`0018${toHex(text)}`);
  });

  it('keeps constants out of answers, and takes one without its time', () => {
    const { entryMode: _, ...answer } = { ...SALE, isResponse: true, responseCode: '00' };
    const { 7: __, ...written } = unpackMessage(dialect, packExchange(dialect, answer, false)).fields;
    expect(written[24] ?? written[46]).toBeUndefined();
    const bytes = packMessage(dialect, { mti: '0210', fields: written });
    expect(unpackExchange(dialect, bytes, AT_MS)).toMatchObject({
      stan: '000042',
      at: '',
      responseCode: '00',
    });
    expect(() => unpackExchange(DIALECTS['1987-binary'], bytes, AT_MS)).toThrow();
  });

  it('writes details into the fields that are left for them, or none', () => {
    const more = (details: string) =>
      unpackMessage(dialect, packExchange(dialect, { ...SALE, details }, false)).fields;
    expect(more('x'.repeat(1_500))).toMatchObject({ 61: 'x'.repeat(999), 63: 'x'.repeat(501) });
    const none = more('x'.repeat(2_000));
    expect([none[61], none[62], none[63]]).toEqual([undefined, undefined, undefined]);
  });
});

describe('a message that a terminal sent to an acquirer in Argentina', () => {
  /*
   * Request 45 of a public log, approved by its host: the replay script of a point-of-sale server in the network of Prisma has its bytes
   * ("TXN #0045 del log", TPDU 6007210000, NII 0721). The card is one of its tests.
   */
  const CARD_DATA =
    '950500000000009A032605069C01009F02060000000888779F03060000000000009F100706011203A020009F2608646E836B72AE14C09F2701809F3303' +
    'E0F8C89F34033F00009F360200479F370490C6FD339F1E0838353130494343009F6E04207000008407A00000000310105F340100820220005F2A020032';
  const FRAME = fromHex(
    [
      '017C600721000002003238278020C58234000000000000088877050616422830',
      '44121642280506003200710000072100374507990000006454D2807201456000',
      '0000000F37343030303032353033363539333037202020202020200001310003',
      '3030313033320244',
      Buffer.from(CARD_DATA, 'latin1').toString('hex'),
      '0014303231303030313030343037303700105041595741595F434F45000434373137',
    ].join(''),
  );
  const host = changed('1987-binary', {
    header: { tpdu: '6007210000' },
    timeZone: 'America/Argentina/Buenos_Aires',
    matchedBy: [11, 41],
    fields: {
      19: { value: '032' },
      24: { value: '721' },
      35: { filler: 'rightF' },
      46: { value: '1' },
      48: { value: '001' },
      55: { encoding: 'hexText' },
      59: { value: '02100010040707' },
      60: { value: 'PAYWAY_COE' },
      62: { resultName: 'Ticket' },
    },
  });
  const [message = Buffer.alloc(0), ...more] = new MessageFrames(undefined, host.line).push(FRAME);
  const { mti, fields } = unpackMessage(host, message);

  it('is read whole, and written again is the same bytes', () => {
    expect([more, mti]).toEqual([[], '0200']);
    expect(fields).toMatchObject({
      ...{ 4: '000000088877', 7: '0506164228', 11: '304412', 12: '164228', 13: '0506', 22: '071' },
      ...{ 35: '4507990000006454=28072014560000000000', 41: '74000025', 49: '032', 62: '4717' },
    });
    expect(framed(packMessage(host, { mti, fields }), host.line)).toEqual(Buffer.from(FRAME));
  });

  it('is what the dialect makes of such a sale: constants, and the same form of each field', () => {
    const { pan: _pan, expiry: _expiry, ...cardless } = SALE;
    const sale: ExchangeMessage = {
      ...{ ...cardless, stan: '304412', at: '20260506194228', cardSequence: '000' },
      ...{ amount: { minor: 88_877, currency: 'ARS' }, track2: fields[35] ?? '', iccData: fields[55] ?? '' },
      ...{ terminalId: '74000025', merchantId: '03659307', entryMode: 'contactless-chip' },
    };
    const ours = unpackMessage(host, packExchange(host, sale, false)).fields;
    // The terminal has local time in 7, too, and a ticket; a link has UTC there.
    const { 7: _time, 62: _ticket, 22: _mode, ...theirs } = fields;
    expect(ours).toMatchObject(theirs);
    expect(Object.keys(theirs).filter((field) => !(field in ours))).toEqual([]);
  });

  it('is described without tags of ours in 48', () => {
    const [, ...described] = describeMessage(host, message).fields;
    expect(described.find(({ field }) => field === '48')).toMatchObject({ name: 'additional data, private' });
    expect(described.filter(({ fault }) => fault !== undefined)).toEqual([]);
  });

  it('has its own data in the answer where a request has a constant', () => {
    const answer = { ...fields, 38: '482913', 39: '00' };
    const read = unpackExchange(host, packMessage(host, { mti: '0210', fields: answer }), AT_MS);
    expect(read).toMatchObject({ responseCode: '00', amount: { minor: 88_877, currency: 'ARS' } });
  });
});

it('has local times of the merchant, or UTC where that has no zone', () => {
  const dialect = changed('1987-binary', { timeZone: 'local' });
  const times = (message: ExchangeMessage) => {
    const { fields } = unpackMessage(dialect, packExchange(dialect, message, false));
    return [fields[7], fields[12], fields[13]];
  };
  expect(times({ ...SALE, timeZone: 'America/New_York' })).toEqual(['1123012200', '202200', '1122']);
  expect(times(SALE)).toEqual(['1123012200', '012200', '1123']);
  const fixed = changed('1987-binary', { timeZone: 'Asia/Kolkata' });
  const packed = packExchange(fixed, { ...SALE, timeZone: 'America/New_York' }, false);
  expect(unpackMessage(fixed, packed).fields[12]).toBe('065200');
  expect(() => changed('cmf', { timeZone: 'local' })).toThrow(/must not be set with cmf/);
});

describe('a value that requests with a PIN have', () => {
  const control = '2001010100000000';
  const dialect = changed('1987-binary', { fields: { 53: { value: control, when: 'pin' } } });
  const fieldsOf = (message: ExchangeMessage) =>
    unpackMessage(dialect, packExchange(dialect, message, false)).fields;

  it('is in those alone, and in no answer', () => {
    const { pinBlock: _, ...withoutPin } = SALE;
    const pinBlock = '0011223344556677';
    expect(fieldsOf({ ...withoutPin, pinBlock })).toMatchObject({ 52: pinBlock, 53: control });
    expect(fieldsOf(withoutPin)[53]).toBeUndefined();
    expect(fieldsOf({ ...withoutPin, pinBlock, isResponse: true })[53]).toBeUndefined();
  });

  it('is refused without a value, or where it does not fit', () => {
    expect(() => changed('1987-binary', { fields: { 53: { when: 'pin' } } })).toThrow(/without a value/);
    expect(() => changed('1987-binary', { fields: { 53: { value: '1'.repeat(17), when: 'pin' } } })).toThrow(
      /must fit the field/,
    );
  });
});

describe('a field that what follows an answer repeats', () => {
  const dialect = changed('1987-binary', { fields: { 63: { isRepeated: true } } });
  const { entryMode: _, ...answer } = { ...SALE, isResponse: true, responseCode: '00' };
  const read = (token: string) => {
    const packed = packExchange(dialect, { ...answer, hostData: { 63: token } }, false);
    return unpackExchange(dialect, packed, AT_MS).hostData;
  };

  it('is read from an answer, and written by a message that has it', () => {
    expect(read('TOKEN-1')).toEqual({ 63: 'TOKEN-1' });
    const sent = packExchange(dialect, { ...SALE, hostData: { 63: 'TOKEN-1' } }, false);
    expect(unpackMessage(dialect, sent).fields[63]).toBe('TOKEN-1');
  });

  it('is none where it could be a card number, and holds no details', () => {
    expect(read('4761739001010010')).toBeUndefined();
    const sent = packExchange(dialect, { ...SALE, details: 'x'.repeat(1_500) }, false);
    expect(unpackMessage(dialect, sent).fields[63]).toBeUndefined();
  });

  it('is refused where cards are, with a value, and where it is never written', () => {
    for (const fields of [
      { 2: { isRepeated: true } },
      { 63: { isRepeated: true, value: 'A' } },
      { 63: { isRepeated: true, presence: 'never' } },
    ] as const)
      expect(() => changed('1987-binary', { fields })).toThrow(/must not be set/);
  });
});

describe('the text of a field of an answer', () => {
  const dialect = changed('1987-binary', ARGENTINA);
  const read = (mti: string, fields: Readonly<Record<number, string>>) =>
    unpackExchange(dialect, packMessage(dialect, { mti, fields: { 11: '000042', ...fields } }), AT_MS);

  it('has the name that the dialect gives it, without card numbers', () => {
    expect(read('0210', { 63: 'COMPRA APROBADA ' }).resultTexts).toEqual({ HostMessage: 'COMPRA APROBADA' });
    const shown = JSON.stringify(read('0210', { 63: 'CARD 4761739001010010' }).resultTexts ?? {});
    expect(shown).not.toContain('4761739001010010');
    expect(read('0210', { 39: '00' }).resultTexts).toBeUndefined();
    expect(read('0800', { 7: '1123012200', 63: 'A', 70: '301' }).resultTexts).toBeUndefined();
  });

  it('is nothing of ours where the dialect never writes the field', () => {
    const own = changed('1987-binary', { matchedBy: [11], fields: { 48: { presence: 'never' } } });
    const bytes = packMessage(own, {
      mti: '0210',
      fields: { 11: '000042', 39: '00', 48: 'NO TAGS OF OURS' },
    });
    expect(unpackExchange(own, bytes, AT_MS)).toMatchObject({ responseCode: '00' });
    expect(() => unpackExchange(changed('1987-binary', { matchedBy: [11] }), bytes, AT_MS)).toThrow(
      /field 48/,
    );
  });
});

describe('a changed field', () => {
  const bytesOf = (number: number, value: string, field: NonNullable<DialectChanges['fields']>[string]) => {
    const dialect = changed('1987-binary', { fields: { [number]: field } });
    const message = { mti: '0100', fields: { [number]: value } };
    const packed = packMessage(dialect, message);
    expect(unpackMessage(dialect, packed)).toEqual(message);
    return toHex(packed.subarray(10));
  };

  it.each([
    [2, '47617390010100101', { filler: 'rightF' }, '1747617390010100101F'],
    [2, '47617390010100101', { filler: 'leftF' }, '17F47617390010100101'],
    [2, '4761739001010010', { length: 'binary' }, '104761739001010010'],
    [2, '4761', { encoding: 'ascii', length: 'ascii' }, '303434373631'],
    [24, '003', { encoding: 'ascii' }, '303033'],
    [44, 'AB', { format: 'ans...25' }, '00024142'],
    [55, '9F2701', { encoding: 'hex' }, '0003394632373031'],
    [55, '9F2701', { encoding: 'hexText' }, '0006394632373031'],
    [55, '9F2701', { format: 'b....255', length: 'ascii' }, '303030339F2701'],
    [52, '0102030405060708', { encoding: 'hex' }, '30313032303330343035303630373038'],
  ] as const)('%i %s %o', (number, value, field, hex) => {
    expect(bytesOf(number, value, field)).toBe(hex);
  });
});

describe('a dialect that cannot be', () => {
  it.each<[DialectName, DialectChanges, string, RegExp]>([
    ['cmf', { timeZone: 'Europe/Berlin' }, 'timeZone', /field 12 names the message/],
    ['1987-binary', { timeZone: 'Mars/Olympus' }, 'timeZone', /a time zone of IANA/],
    ['1987-binary', { matchedBy: [7, 41] }, 'matchedBy', /must be 11, and any of 7, 37 and 41/],
    ['1987-binary', { matchedBy: [11, 4] }, 'matchedBy', /must be 11/],
    ['cmf', { matchedBy: [11] }, 'matchedBy', /field 12 names the message/],
    ['1987-binary', { header: { tpdu: '60072100' } }, 'header.tpdu', /ten digits/],
    ['1987-binary', { fields: { 129: {} } }, 'fields.129', /2 to 128/],
    ['1987-binary', { fields: { 1: {} } }, 'fields.1', /2 to 128/],
    [
      '1987-binary',
      { fields: { 55: { format: 'hex..255' } } },
      'fields.55.format',
      /as the standard writes it/,
    ],
    ['1987-binary', { fields: { 3: { length: 'bcd' } } }, 'fields.3.length', /n6 is of fixed length/],
    ['1987-binary', { fields: { 41: { encoding: 'bcd' } } }, 'fields.41.encoding', /ascii, ebcdic for ans8/],
    ['1987-binary', { fields: { 52: { encoding: 'hexText' } } }, 'fields.52.encoding', /binary, hex for b8/],
    ['1987-binary', { fields: { 41: { filler: 'rightF' } } }, 'fields.41.filler', /digits alone/],
    ['1987-ascii', { fields: { 2: { filler: 'left' } } }, 'fields.2.filler', /digits alone/],
    ['1987-binary', { fields: { 11: { presence: 'never' } } }, 'fields.11.presence', /must not be never/],
    ['1987-binary', { fields: { 24: { value: '7210' } } }, 'fields.24.value', /must fit the field/],
    ['1987-binary', { fields: { 24: { value: 'ABC' } } }, 'fields.24.value', /must fit the field/],
    ['cmf', { fields: { 24: { value: '200' } } }, 'fields.24.value', /function code of cmf/],
    ['1987-binary', { fields: { 2: { resultName: 'Card' } } }, 'fields.2.resultName', /may hold card data/],
    ['1987-binary', { fields: { 63: { resultName: 'a b' } } }, 'fields.63.resultName', /letters and digits/],
    ['1987-binary', { fields: { 24: { presence: 'never', value: '1' } } }, 'fields.24.value', /is never/],
    ['1987-binary', { fields: { 4: { presence: 'never' } } }, 'fields.4.presence', /must not be never/],
    ['1987-ascii', { fields: { 39: { presence: 'never' } } }, 'fields.39.presence', /must not be never/],
    ['1987-binary', { fields: { 49: { presence: 'never' } } }, 'fields.49.presence', /must not be never/],
    ['cmf', { fields: { 12: { presence: 'never' } } }, 'fields.12.presence', /must not be never/],
    ['cmf', { fields: { 41: { presence: 'never' } } }, 'fields.41.presence', /must not be never/],
    ['1987-binary', { fields: { 41: { presence: 'never' } } }, 'matchedBy', /without 41, which is never/],
    ['1987-binary', { matchedBy: [7, 11], fields: { 7: { presence: 'never' } } }, 'matchedBy', /without 7/],
    ['1987-binary', { fields: { 4: { value: '000000000001' } } }, 'fields.4.value', /has its own there/],
    ['1987-binary', { fields: { 49: { value: '978' } } }, 'fields.49.value', /has its own there/],
    ['cmf', { fields: { 56: { value: '2200' } } }, 'fields.56.value', /has its own there/],
    ['1987-binary', { fields: { 64: { format: 'b4' } } }, 'fields.64', /must be written as field 128/],
    ['1987-binary', { fields: { 64: { encoding: 'hex' } } }, 'fields.64', /must be written as field 128/],
    ['1987-binary', { fields: { 128: { format: 'b3' } } }, 'fields.128.format', /must be b4 to b16/],
    ['1987-binary', { fields: { 64: { format: 'an16' } } }, 'fields.64.format', /must be b4 to b16/],
    ['1987-binary', { fields: { 64: { format: 'b..8' } } }, 'fields.64.format', /must be b4 to b16/],
  ])('%s %o', (name, changes, path, rule) => {
    let found: unknown;
    try {
      changed(name, changes);
    } catch (error) {
      found = error;
    }
    expect(found).toBeInstanceOf(DialectError);
    expect((found as DialectError).path.join('.')).toBe(path);
    expect((found as DialectError).message).toMatch(rule);
  });
});

it('codes of 32 bits are written and read where both fields have them', () => {
  const fields = { 64: { format: 'b4' }, 128: { format: 'b4' } };
  const dialect = changed('1987-binary', { fields });
  for (const message of [SALE, { ...SALE, keyBlock: 'K' }]) {
    const { bytes, covered, putCode } = packCoded(dialect, message);
    putCode(fromHex('A1A2A3A4A5A6A7A8'));
    expect([bytes.length - covered.length, toHex(macOf(dialect, bytes) ?? new Uint8Array())]).toEqual([
      4,
      'A1A2A3A4',
    ]);
  }
});

describe('a required field', () => {
  const dialect = changed('1987-binary', { fields: { 2: { presence: 'required' } } });
  const { pan: _, ...without } = SALE;

  it('is demanded of requests for money, and of no other message', () => {
    expect(() => packExchange(dialect, without, false)).toThrow(/field 2: is required in this dialect/);
    expect(() => packExchange(dialect, { ...without, isResponse: true }, false)).not.toThrow();
    const echo = { ...without, kind: 'network', network: 'echo' } as const;
    expect(() => packExchange(dialect, echo, false)).not.toThrow();
  });

  it('may be missing in a reversal, which must reach its host', () => {
    const original = { type: { kind: 'financial', isAdvice: false }, stan: '000041', at: AT } as const;
    const reversal: ExchangeMessage = { ...without, kind: 'reversal', isAdvice: true, original };
    expect(() => packExchange(dialect, reversal, false)).not.toThrow();
  });
});
