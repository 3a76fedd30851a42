import { describe, expect, it } from 'vitest';
import { DIALECTS } from '../dialects/dialects.js';
import { packExchange } from './exchange-codec.js';
import type { ExchangeMessage } from './exchange-message.js';

/*
 * A reader of the jPOS Common Message Format that shares nothing with the codec: its table is written from the layout that jPOS publishes. What the
 * codec and the simulated host get wrong together is seen here.
 */

type Layout = readonly ['digits' | 'text' | 'bytes', length: number, lengthDigits?: 2 | 3 | 4];

const LAYOUT: Readonly<Record<number, Layout>> = {
  2: ['digits', 19, 2],
  3: ['text', 6],
  4: ['digits', 16],
  7: ['digits', 10],
  11: ['digits', 12],
  12: ['digits', 14],
  14: ['digits', 4],
  15: ['digits', 8],
  17: ['digits', 4],
  22: ['bytes', 16],
  23: ['digits', 3],
  24: ['digits', 3],
  25: ['digits', 4],
  26: ['digits', 4],
  30: ['bytes', 16],
  32: ['digits', 11, 2],
  34: ['bytes', 9_999, 4],
  35: ['text', 37, 2],
  37: ['text', 12],
  38: ['text', 6],
  39: ['digits', 4],
  41: ['text', 16],
  42: ['text', 35, 2],
  43: ['bytes', 9_999, 4],
  48: ['text', 999, 3],
  49: ['bytes', 9_999, 4],
  52: ['bytes', 8],
  54: ['text', 126, 3],
  55: ['bytes', 9_999, 4],
  56: ['digits', 41, 2],
  64: ['bytes', 4],
  74: ['bytes', 78],
  97: ['digits', 21],
  104: ['bytes', 9_999, 4],
  128: ['bytes', 4],
};
const CARD_ACCEPTOR: Readonly<Record<number, Layout>> = {
  2: ['text', 50, 2],
  4: ['text', 50, 2],
  7: ['text', 3],
};

/** Bytes and the place where the next value begins. */
class Bytes {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  take(count: number): Buffer {
    if (count > this.left) throw new Error(`${count} bytes wanted, ${this.left} left`);
    this.#at += count;
    return this.#bytes.subarray(this.#at - count, this.#at);
  }

  /** Digits as BCD; of an odd number the last nibble is filled. */
  digits(count: number): string {
    const nibbles = this.take(Math.ceil(count / 2)).toString('hex');
    if (!/^\d*$/.test(nibbles)) throw new Error(`no digits: ${nibbles}`);
    if (count % 2 === 1 && !nibbles.endsWith('0')) throw new Error(`no filler: ${nibbles}`);
    return nibbles.slice(0, count);
  }

  value([kind, longest, lengthDigits]: Layout): string {
    // A length of three digits takes two bytes, and its filler stands in front.
    const length =
      lengthDigits === undefined ? longest : Number(this.digits(lengthDigits === 3 ? 4 : lengthDigits));
    if (length > longest) throw new Error(`a length of ${length}`);
    if (kind === 'digits') return this.digits(length);
    return this.take(length).toString(kind === 'text' ? 'latin1' : 'hex');
  }

  /** Numbers of the bits of a bitmap of eight bytes. */
  bits(): number[] {
    const bits = BigInt(`0x${this.take(8).toString('hex')}`);
    return Array.from({ length: 64 }, (_, at) => at + 1).filter((bit) => (bits >> BigInt(64 - bit)) & 1n);
  }

  values(numbers: readonly number[], layouts: Readonly<Record<number, Layout>>): Record<number, string> {
    const found = numbers.map((number) => {
      const layout = layouts[number];
      if (!layout) throw new Error(`field ${number} is not in the layout`);
      return [number, this.value(layout)] as const;
    });
    if (this.left > 0) throw new Error(`${this.left} bytes left over`);
    return Object.fromEntries(found);
  }
}

function readMessage(bytes: Buffer): { readonly mti: string; readonly fields: Record<number, string> } {
  const from = new Bytes(bytes);
  const mti = from.digits(4);
  const first = from.bits();
  const second = first[0] === 1 ? from.bits().map((bit) => bit + 64) : [];
  return { mti, fields: from.values([...first.filter((bit) => bit > 1), ...second], LAYOUT) };
}

/** A composite with a bitmap, or one of values one behind the other. */
const inside = (hex = ''): Bytes => new Bytes(Buffer.from(hex, 'hex'));

/** A data set: identifier, length of two bytes, bitmaps of 16 bits, of which bit 1 of the first announces another. */
function datasetOf(hex: string | undefined) {
  const from = inside(hex);
  const id = from.take(1).toString('hex');
  if (from.take(2).readUInt16BE() !== from.left) throw new Error('the length of the data set is another');
  const bits = wordBits(from, 0);
  return { id, bits: bits[0] === 1 ? [...bits, ...wordBits(from, 16)] : bits, from };
}

function wordBits(from: Bytes, before: number): number[] {
  const word = from.take(2).readUInt16BE();
  return Array.from({ length: 16 }, (_, at) => at + 1)
    .filter((bit) => ((word >> (16 - bit)) & 1) === 1)
    .map((bit) => before + bit);
}

const COMMON = { stan: '000042', at: '20261123072200', isRepeat: false, acquirerId: '12345' } as const;
const SALE: ExchangeMessage = {
  ...COMMON,
  ...{ kind: 'financial', isAdvice: false, isResponse: false, transaction: 'purchase', entryMode: 'chip' },
  amount: { minor: 1234, currency: 'EUR' },
  pan: '47617390010100101',
  expiry: '3112',
  cardSequence: '001',
  track2: '47617390010100101=3112201',
  merchantCategory: '5411',
  rrn: '632707000042',
  terminalId: 'T1001',
  merchantId: 'M1',
  acceptor: { name: 'Corner shop', city: 'Berlin', country: 'DE' },
  pinBlock: '0011223344556677',
  iccData: '9F2701809F3602001C',
  partialAllowed: true,
  cvv: '123',
  billingPostcode: '10115',
  billingStreet: 'Main street 1',
  networkTransactionId: '123456789012345',
  deferred: '1',
  dsTransactionId: '0f2d5e3c-1111-4222-8333-444455556666',
};
const read = (message: ExchangeMessage, hasMac = true) =>
  readMessage(packExchange(DIALECTS.cmf, message, hasMac));

describe('the common message format, as a reader of its layout has it', () => {
  it('a sale: every field, and no byte more', () => {
    const { mti, fields } = read(SALE);
    expect(mti).toBe('2200');
    expect(fields).toMatchObject({
      ...{ 2: SALE.pan, 3: '000000', 4: '9782000000001234', 7: '1123072200', 11: '000000000042' },
      ...{ 12: SALE.at, 14: '3112', 23: '001', 24: '281', 26: '5411', 32: '12345', 35: SALE.track2 },
      ...{ 37: SALE.rrn, 41: 'T1001'.padEnd(16), 42: 'M1', 52: SALE.pinBlock },
      ...{ 55: SALE.iccData?.toLowerCase(), 128: '00000000' },
    });
    expect(new URLSearchParams(fields[48]).get('networkTransactionId')).toBe(SALE.networkTransactionId);
    expect(Buffer.from(fields[104] ?? '', 'hex').toString()).toBe('deferred=1');
  });

  it('its card acceptor is a bitmap and the values that it names', () => {
    const from = inside(read(SALE).fields[43]);
    const acceptor = from.values(from.bits(), CARD_ACCEPTOR);
    expect(acceptor).toEqual({ 2: 'Corner shop', 4: 'Berlin', 7: 'DE ' });
  });

  it('its verification data are a data set with one bitmap', () => {
    const { id, bits, from } = datasetOf(read(SALE).fields[49]);
    expect([id, bits]).toEqual(['71', [2, 3, 4]]);
    expect([from.digits(4), from.value(['text', 40]), from.value(['text', 10]), from.left]).toEqual([
      ...['0123', 'Main street 1'.padEnd(40), '10115'.padEnd(10), 0],
    ]);
  });

  it('its electronic commerce data are a data set with two bitmaps', () => {
    const { id, bits, from } = datasetOf(read(SALE).fields[34]);
    expect([id, bits]).toEqual(['73', [1, 18]]);
    expect([from.value(['text', 36, 2]), from.left]).toEqual([SALE.dsTransactionId, 0]);
  });

  it('a reversal of a part names its original, and what stays', () => {
    const { mti, fields } = read({
      ...COMMON,
      ...{ kind: 'reversal', isAdvice: true, isResponse: false, transaction: 'purchase', reasonCode: '4004' },
      amount: { minor: 1234, currency: 'JPY' },
      remaining: { minor: 234, currency: 'JPY' },
      original: { type: { kind: 'financial', isAdvice: false }, stan: '000041', at: '20261123072100' },
      terminalId: 'T1001',
    });
    expect(mti).toBe('2420');
    expect(fields).toMatchObject({ 4: '3920000000001234', 24: '401', 25: '4004' });
    expect(fields[56]).toBe('2200' + '000000000041' + '20261123072100' + '12345');
    const amounts = inside(fields[30]);
    expect([amounts.digits(16), amounts.digits(16), amounts.left]).toEqual([
      '3920000000000234',
      '0'.repeat(16),
      0,
    ]);
  });

  it('totals: amount and number of credits, then of debits, as they are, charged back and reversed', () => {
    const total = (minor: number, number: number) => ({ minor, number });
    const { mti, fields } = read({
      ...COMMON,
      ...{ kind: 'reconciliation', isAdvice: false, isResponse: false, settlementDate: '20261123' },
      totals: {
        ...{ credits: total(100, 1), creditReversals: total(200, 2) },
        ...{ debits: total(3_000, 3), debitReversals: total(400, 4) },
      },
      net: { minor: 2_700, currency: 'EUR' },
    });
    const from = inside(fields[74]);
    const pairs = Array.from({ length: 6 }, () => [Number(from.digits(16)), Number(from.digits(10))]);
    expect(pairs).toEqual([
      [100, 1],
      [0, 0],
      [200, 2],
      [3_000, 3],
      [0, 0],
      [400, 4],
    ]);
    expect([mti, fields[15], fields[24], fields[97]]).toEqual([
      '2500',
      '20261123',
      '500',
      '978200000000000002700',
    ]);
  });

  it('an answer: result code, amounts, and a code in the first half where no field is above it', () => {
    const { mti, fields } = read({
      ...COMMON,
      ...{ kind: 'financial', isAdvice: false, isResponse: true, responseCode: '00', approvalCode: 'A1B2C3' },
      additionalAmounts: [{ account: '30', type: '02', amount: { minor: -5, currency: 'EUR' } }],
    });
    expect(mti).toBe('2210');
    expect(fields).toMatchObject({ 38: 'A1B2C3', 39: '0000', 54: '30029782D000000000005', 64: '00000000' });
  });
});

describe('a third bitmap', () => {
  it('is in no dialect: bit 65 is a field like any other, and none is above 128', () => {
    const { fields } = readMessage(packExchange(DIALECTS.cmf, SALE, true));
    expect(Object.keys(fields).map(Number)).not.toContain(65);
    for (const dialect of Object.values(DIALECTS)) {
      expect(dialect.fields[65]).toMatchObject({ lengthDigits: 0 });
      expect(Math.max(...Object.keys(dialect.fields).map(Number))).toBe(128);
    }
  });
});
