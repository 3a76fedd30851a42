import { tlv } from '@tillbridge/wire/emv/tlv.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ApduReader, decodeApdu, encodeApdu } from './apdu.js';
import { field, readBitmaps, tlvOf } from './bitmaps.js';
import { decodeText, encodeText } from './character-set.js';
import { MAX_REPEATS, readReceived } from './commands.js';
import { printed, statusInformation } from './reports.js';
import { RESULT } from './result-codes.js';

// Bytes of terminals and of a client of others: Portalum/Portalum.Zvt (MIT), src/Portalum.Zvt.UnitTest.
const CAPTURES = {
  approved:
    '040F7727000400000000204 00B0004700C2239530D10060E251217000119702 2F0F8EEEEEEEEEEEE477129280048692A313030343631373633202020202020' +
    '3B36313138303400003CF0F1F447454E2E4E522E3A363131383034490978870470880004708A2E8BF1F74465626974204D61737465726361726400',
  aborted: '040F1E276C29280048693CF0F1F941626272756368206475726368204B756E6465',
  wrongAmount: '040F1827FF29280048693CF0F1F342657472616720666 16C736368',
  authorization: '060107040000000010 00',
  registration: '060010000000B609780301060626040A0206D3',
} as const;
const bytes = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex');
const fieldsOf = (hex: string) => readBitmaps(decodeApdu(bytes(hex)).data);
const hexes = (hex: string) =>
  Object.fromEntries(
    [...fieldsOf(hex)].map(([bitmap, value]) => [bitmap.toString(16), Buffer.from(value).toString('hex')]),
  );

describe('messages of others', () => {
  it('are read field by field: an approval', () => {
    const { '2a': merchant, '3c': text, '8b': name, ...rest } = hexes(CAPTURES.approved);
    expect(rest).toEqual({
      ...{
        27: '00',
        4: '000000002040',
        b: '000470',
        c: '223953',
        d: '1006',
        e: '2512',
        17: '0001',
        19: '70',
      },
      ...{ 22: 'eeeeeeeeeeee4771', 29: '28004869', '3b': '3631313830340000', 49: '0978', 87: '0470' },
      ...{ 88: '000470', '8a': '2e' },
    });
    expect([merchant, text, name].map((hex) => decodeText(Buffer.from(hex ?? '', 'hex')))).toEqual([
      '100461763      ',
      'GEN.NR.:611804',
      'Debit Mastercard ',
    ]);
  });

  it('are read field by field: an abort and a fault', () => {
    expect(hexes(CAPTURES.aborted)).toMatchObject({ 27: '6c', 29: '28004869' });
    expect(hexes(CAPTURES.wrongAmount)).toMatchObject({ 27: 'ff', 29: '28004869' });
  });

  it('are read as requests', () => {
    expect(readReceived(decodeApdu(bytes(CAPTURES.authorization)))).toEqual({
      kind: 'command',
      command: {
        ...{ kind: 'authorization', minor: 1_000, takesPartialApproval: false },
        ...{ maxRepeats: MAX_REPEATS, issueSeconds: 30 },
      },
    });
    expect(readReceived(decodeApdu(bytes('06010B0400000000100001780203')))).toMatchObject({
      command: { maxRepeats: 3, issueSeconds: 120 },
    });
    expect(readReceived(decodeApdu(bytes(CAPTURES.registration)))).toEqual({
      kind: 'command',
      command: {
        kind: 'registration',
        password: '000000',
        currency: '978',
        wish: { printsPayments: true, printsTotals: true, wantsIntermediate: false, takesTextBlocks: true },
      },
    });
  });

  // The structures of the client qwello/zvt (MIT or Apache-2.0), which drives terminals for charging points.
  it.each([
    ['06220A04000000005000490978', { kind: 'reservation', minor: 5_000, currency: '978' }],
    ['06230F87000104000000000800190 0490978', { kind: 'partial-reversal', receipt: 1, minor: 800 }],
    ['06230387FFFF', { kind: 'open-reservation' }],
    // Without an amount nothing of it is unused (PA00P015 13.08 §2.10).
    ['062303870001', { kind: 'partial-reversal', receipt: 1, minor: 0 }],
    ['06240A87000104000000004200', { kind: 'booking', receipt: 1, minor: 4_200 }],
    ['062403870001', { kind: 'booking', receipt: 1 }],
    ['0625081970490978870001', { kind: 'reservation-reversal', receipt: 1, currency: '978' }],
  ])('are read as requests about reservations: %s', (hex, command) => {
    expect(readReceived(decodeApdu(bytes(hex)))).toMatchObject({ kind: 'command', command });
  });

  it('are the same bytes when they are written again', () => {
    for (const hex of [CAPTURES.approved, CAPTURES.aborted, CAPTURES.wrongAmount]) {
      const { control, data } = decodeApdu(bytes(hex));
      const written = [...readBitmaps(data)].map(([bitmap, value]) => field(bitmap, value));
      expect(encodeApdu({ control, data: Buffer.concat(written) })).toEqual(bytes(hex));
    }
  });
});

describe('messages of TCP', () => {
  it('are found in pieces of any size, short and long', () => {
    const apdu = fc.record({
      control: fc.integer({ min: 0, max: 0xffff }),
      data: fc.oneof(fc.uint8Array({ maxLength: 8 }), fc.uint8Array({ minLength: 250, maxLength: 300 })),
    });
    fc.assert(
      fc.property(fc.array(apdu, { maxLength: 5 }), fc.integer({ min: 1, max: 400 }), (apdus, size) => {
        const all = Buffer.concat(apdus.map(encodeApdu));
        const reader = new ApduReader();
        const found = [];
        for (let at = 0; at < all.length; at += size) found.push(...reader.push(all.subarray(at, at + size)));
        expect(found).toEqual(apdus.map(({ control, data }) => ({ control, data: Buffer.from(data) })));
        expect(reader.pending).toBe(0);
      }),
      { numRuns: 100 },
    );
  });

  it('are refused where they are longer than the limit, before they are there', () => {
    expect(() => new ApduReader().push(bytes('0601FF0110'))).toThrow(
      expect.objectContaining({ code: 'too-long' }),
    );
  });
});

describe('fields', () => {
  it.each([
    ['FF', 'unknown-bitmap'],
    ['0400', 'bad-field'],
    ['49097849 0978', 'bad-field'],
    ['22F0', 'bad-field'],
    ['22F0FA', 'bad-field'],
    ['220002', 'bad-field'],
    ['0680', 'bad-field'],
    ['0682FF', 'bad-field'],
  ])('%s are refused as %s', (hex, code) => {
    expect(() => readBitmaps(bytes(hex))).toThrow(expect.objectContaining({ code }));
  });

  it('have a container of any size', () => {
    for (const length of [1, 0x7f, 0x80, 0xff, 0x100, 0x1234]) {
      const value = Buffer.alloc(length, 7);
      expect(readBitmaps(field(0x06, value)).get(0x06)).toEqual(value);
    }
    const fields = readBitmaps(field(0x06, bytes('1F6302 4142')));
    expect(tlvOf(fields)).toEqual([tlv('1F63', bytes('4142'))]);
    expect(() => tlvOf(readBitmaps(field(0x06, bytes('1F63 05'))))).toThrow(
      expect.objectContaining({ code: 'bad-field' }),
    );
  });

  it.each([
    ['06009A', 'is too short'],
    ['06000400A0009B', 'has letters in the password'],
    ['06010204', 'has no amount'],
    ['060107040000000A0000', 'has letters in the amount'],
    ['06300300 0000', 'has no receipt number'],
    ['062300', 'has no receipt number'],
    ['06240387FFFF', 'names any receipt in a booking'],
  ])('a request %s that %s is refused', (hex) => {
    const [control, data] = [bytes(hex).readUInt16BE(0), bytes(hex).subarray(3)];
    expect(() => readReceived({ control, data })).toThrow(expect.objectContaining({ code: 'bad-field' }));
  });
});

describe('texts', () => {
  it('are in code page 437: umlauts as a terminal of others prints them', () => {
    // "für" and "HÄNDLERBELEG" of its receipts.
    expect(encodeText('für HÄNDLERBELEG').toString('hex')).toBe(
      '668172 20488e4e444c455242454c4547'.replace(' ', ''),
    );
    expect(decodeText(bytes('66817220488E4E444C'))).toBe('für HÄNDL');
    expect(encodeText('5 € – 漢').toString('latin1')).toBe('5 EUR - ?');
  });
});

describe('what a till prints', () => {
  it('is a container of lines with an end, as a terminal of others sends it', () => {
    const [block] = printed(['one', ''], 'customer', true);
    expect(Buffer.from(block?.bytes ?? []).toString('hex')).toBe(
      '06d313' + '0611' + '1f070102' + '250b' + '07036f6e65' + '070120' + '090181',
    );
  });

  it('is cut into messages that hold whole lines', () => {
    const lines = Array.from({ length: 200 }, (_, at) => `line ${at}`.padEnd(40, '.'));
    const blocks = printed(lines, 'merchant', true);
    expect(blocks.length).toBeGreaterThan(1);
    const texts = blocks.flatMap(({ bytes: sent }) => {
      const nodes = tlvOf(readBitmaps(decodeApdu(sent).data));
      return nodes
        .flatMap((node) => ('children' in node ? node.children : []))
        .flatMap((node) => ('value' in node && node.tag === '07' ? [decodeText(node.value)] : []));
    });
    expect(texts).toEqual(lines);
  });
});

it('shows no more of a card than its last four digits', () => {
  const { bytes: sent } = statusInformation({ result: RESULT.ok, terminalId: '1001', last4Digits: '4771' });
  expect(Buffer.from(sent).toString('hex')).toBe(
    '040f' + '12' + '2700' + '22f0f8eeeeeeeeeeee4771' + '2900001001',
  );
});
