import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toHex } from '../../bytes.js';
import { currencyCodes } from '../../payment/currency-codes.js';
import { DIALECT_NAMES } from '../dialects/dialect-names.js';
import { DIALECTS, type Dialect } from '../dialects/dialects.js';
import { packMessage, unpackMessage } from '../message.js';
import { coveredByMac, macOf, packExchange, putMac, unpackExchange } from './exchange-codec.js';
import { answerTo, type ExchangeMessage, NO_CURRENCY } from './exchange-message.js';
import { writeZoneKey } from './zone-key.js';

const AT = '20261123072200';
const NOW_MS = Date.UTC(2026, 10, 23, 7, 22, 0);
const REQUEST = { isAdvice: false, isResponse: false, isRepeat: false } as const;
const SALE: ExchangeMessage = {
  ...REQUEST,
  kind: 'financial',
  stan: '000042',
  at: AT,
  transaction: 'purchase',
  amount: { minor: 1234, currency: 'EUR' },
  entryMode: 'chip',
  pan: '4761739001010010',
  expiry: '3112',
  track2: '4761739001010010=31122010000012300000',
  cardSequence: '001',
  rrn: '632707000042',
  terminalId: 'T1001',
  merchantId: 'M1',
  acquirerId: '12345',
  merchantCategory: '5411',
  pinBlock: '0011223344556677',
  iccData: '9F270180',
  partialAllowed: true,
  acceptor: { name: 'Corner shop', city: 'Berlin', country: 'DE' },
};
const ONLINE: ExchangeMessage = {
  ...REQUEST,
  kind: 'authorization',
  stan: '000043',
  at: AT,
  transaction: 'purchase',
  amount: { minor: 500, currency: 'JPY' },
  entryMode: 'e-commerce',
  pan: '4761739001010010',
  cvv: '123',
  billingStreet: 'High Street 1',
  billingPostcode: '12345',
  eci: '05',
  authenticationValue: Buffer.alloc(20, 7).toString('base64'),
  dsTransactionId: '5d0a3f60-8e11-4c5f-b6a7-18f9e0d1c2b3',
  threeDSVersion: '2.2.0',
  agreementId: '123456789012345',
  exemption: '02',
  standing: 'INITIAL,RECURRING,CIT,',
  deferred: '1',
  transactionCategory: 'EC',
  lifecycleId: 'life-1',
  purposeCode: '07',
  details: new URLSearchParams({ descriptor: 'Müller & Söhne', note: 'x'.repeat(2_500) }).toString(),
};
const REVERSAL: ExchangeMessage = {
  kind: 'reversal',
  isAdvice: true,
  isResponse: false,
  isRepeat: true,
  stan: '000044',
  at: AT,
  transaction: 'purchase',
  amount: { minor: 1234, currency: 'EUR' },
  remaining: { minor: 200, currency: 'EUR' },
  terminalId: 'T1001',
  acquirerId: '00000012345',
  original: { type: { kind: 'financial', isAdvice: false }, stan: '000042', at: '20261123072159' },
};
const NONE = { number: 0, minor: 0 };
const NO_TOTALS = { debits: NONE, credits: NONE, debitReversals: NONE, creditReversals: NONE };
const TOTALS: ExchangeMessage = {
  ...REQUEST,
  kind: 'reconciliation',
  stan: '000045',
  at: AT,
  settlementDate: '20261123',
  totals: {
    debits: { number: 10, minor: 12_340 },
    credits: { number: 1, minor: 500 },
    debitReversals: { number: 2, minor: 700 },
    creditReversals: { number: 0, minor: 0 },
  },
  net: { minor: 11_140, currency: 'EUR' },
};
const NET_CREDIT: ExchangeMessage = {
  ...TOTALS,
  totals: { ...NO_TOTALS, credits: { number: 1, minor: 500 } },
  net: { minor: -500, currency: 'JPY' },
};
const KEY_EXCHANGE: ExchangeMessage = {
  ...REQUEST,
  kind: 'network',
  stan: '000046',
  at: AT,
  network: 'key-exchange',
  keyBlock: 'D0112P0AE00E0000',
};
const ZONE_KEY: ExchangeMessage = {
  ...REQUEST,
  kind: 'network',
  stan: '000047',
  at: AT,
  network: 'key-exchange',
  zoneKey: writeZoneKey({ use: 'pin', kcv: '07F9E6', cryptogram: Buffer.alloc(16, 0xa5) }),
};
const ANSWER = answerTo(SALE, {
  responseCode: '10',
  approvalCode: 'A1B2C3',
  amount: { minor: 617, currency: 'EUR' },
  avsResult: 'F',
  cvvResult: 'M',
  networkTransactionId: '98765',
});
const REVERSED = answerTo(REVERSAL, {
  responseCode: '00',
  amount: { minor: 0, currency: 'EUR' },
  settlementDate: '20261124',
  captureDate: '20261123',
});

describe.each(DIALECT_NAMES)('messages in %s', (name) => {
  const dialect: Dialect = DIALECTS[name];

  it.each([
    ['a sale with a chip and a PIN', SALE],
    ['an authorization of electronic commerce', ONLINE],
    ['the funding of an account', { ...ONLINE, transaction: 'funding' } as ExchangeMessage],
    ['the repeat of a partial reversal', REVERSAL],
    ['totals', TOTALS],
    ['totals with more credits', NET_CREDIT],
    ['no totals', { ...TOTALS, totals: NO_TOTALS, net: { minor: 0, currency: 'EUR' } }],
    [
      'an answer to totals',
      answerTo(TOTALS, { responseCode: '95', totals: NO_TOTALS, net: { minor: 0, currency: 'EUR' } }),
    ],
    ['an echo', { ...REQUEST, kind: 'network', stan: '000001', at: AT, network: 'echo' } as ExchangeMessage],
    ['a new key', KEY_EXCHANGE],
    ['a new key under the zone transport key', ZONE_KEY],
    ['an answer', ANSWER],
    ['an answer to a reversal', REVERSED],
  ])('bring %s', (_, message) => {
    expect(unpackExchange(dialect, packExchange(dialect, message, false), NOW_MS)).toEqual(message);
  });

  it('have an authentication code as their last field', () => {
    for (const message of [SALE, REVERSAL]) {
      const bytes = packExchange(dialect, message, true);
      const covered = toHex(coveredByMac(dialect, bytes));
      putMac(dialect, bytes, Buffer.from('A1A2A3A4A5A6A7A8', 'hex'));
      const mac = macOf(dialect, bytes);
      expect('A1A2A3A4A5A6A7A8'.startsWith(toHex(mac ?? Buffer.of()))).toBe(true);
      expect(toHex(bytes)).toBe(covered + toHex(mac ?? Buffer.of()));
      expect(unpackExchange(dialect, bytes, NOW_MS)).toEqual(message);
    }
    expect(macOf(dialect, packExchange(dialect, SALE, false))).toBeUndefined();
  });

  it.each<[string, Record<number, string>]>([
    ['an unknown transaction', { 3: '990000' }],
    ['an unknown entry mode', { 22: dialect.version === '2' ? 'F'.repeat(32) : '992' }],
    ['an unknown currency', dialect.version === '2' ? { 4: '0000000000000001' } : { 4: '1', 49: '000' }],
    ['parts that are none', dialect.version === '2' ? { 56: '21' } : { 48: '9' }],
  ])('refuse %s', (_, fields) => {
    const mti = `${dialect.version}200`;
    const head = unpackMessage(dialect, packExchange(dialect, SALE, false)).fields;
    const bytes = packMessage(dialect, { mti, fields: { ...head, ...fields } });
    expect(() => unpackExchange(dialect, bytes, NOW_MS)).toThrow(
      expect.objectContaining({ name: 'Iso8583Error' }),
    );
  });

  it('refuse a type that no host sends, and a message without number and time', () => {
    const bytes = packMessage(dialect, {
      mti: `${dialect.version}300`,
      fields: { 7: '1123072200', 11: '1' },
    });
    expect(() => unpackExchange(dialect, bytes, NOW_MS)).toThrow(/message type/);
    const bare = packMessage(dialect, { mti: `${dialect.version}800`, fields: { 7: '1123072200' } });
    expect(() => unpackExchange(dialect, bare, NOW_MS)).toThrow(/field 11/);
  });
});

describe('messages in cmf', () => {
  const dialect = DIALECTS.cmf;
  const read = (message: ExchangeMessage) =>
    unpackExchange(dialect, packExchange(dialect, message, false), NOW_MS);
  const field = (message: ExchangeMessage, number: number) =>
    unpackMessage(dialect, packExchange(dialect, message, false)).fields[number];

  it('keep apart what a merchant put delimiters into', () => {
    const ids = { eci: '05', agreementId: 'a|b&networkTransactionId=c=%7C', networkTransactionId: 'n|' };
    expect(read({ ...ONLINE, ...ids })).toMatchObject(ids);
    const { networkTransactionId: _, ...without } = ids;
    expect(read({ ...ONLINE, ...without }).networkTransactionId).toBeUndefined();
  });

  it.each(['q'.repeat(28), Buffer.alloc(24, 7).toString('base64'), Buffer.alloc(19, 7).toString('base64')])(
    'carry a proof of authentication of another length: %s',
    (authenticationValue) => {
      expect(read({ ...ONLINE, authenticationValue })).toMatchObject({ authenticationValue });
    },
  );

  it('cut postcodes, which are longer elsewhere', () => {
    expect(read({ ...ONLINE, billingPostcode: 'ABCDEFGHIJKLMNOP' }).billingPostcode).toBe('ABCDEFGHIJ');
  });

  it('say what they are to the message that they name', () => {
    const original = (kind: 'authorization' | 'financial', minor: number) => ({
      original: {
        type: { kind, isAdvice: false },
        stan: '000042',
        at: AT,
        amount: { minor, currency: 'EUR' },
      },
    });
    const capture = { ...SALE, isAdvice: true, partialAllowed: false };
    expect(field(SALE, 24)).toBe('281');
    expect(field(capture, 24)).toBe('200');
    expect(field({ ...capture, ...original('authorization', 1234) }, 24)).toBe('201');
    expect(field({ ...capture, ...original('authorization', 5000) }, 24)).toBe('202');
    expect(field({ ...capture, ...original('financial', 5000), transaction: 'refund' }, 24)).toBe('200');
    expect(field({ ...ONLINE, ...original('authorization', 5000) }, 24)).toBe('187');
    expect(field({ ...REVERSAL, reasonCode: '4021' }, 25)).toBe('4021');
  });

  it.each([
    ['0001', '08'],
    ['0003', '00'],
    ['0004', '10'],
    ['1045', '82'],
    ['1824', '21'],
    ['1032', '41'],
    ['1999', '05'],
  ])('read result code %s as %s', (result, responseCode) => {
    const fields = { 11: '1', 12: AT, 39: result };
    const bytes = packMessage(dialect, { mti: '2210', fields });
    expect(unpackExchange(dialect, bytes, NOW_MS).responseCode).toBe(responseCode);
  });
});

it('say in 1987 where card and cardholder are, and how long a PIN may be', () => {
  const dialect = DIALECTS['1987-binary'];
  const fields = (message: ExchangeMessage) =>
    unpackMessage(dialect, packExchange(dialect, message, false)).fields;
  expect(fields(SALE)).toMatchObject({ 22: '051', 25: '00', 26: '12' });
  expect(fields(ONLINE)).toMatchObject({ 22: '812', 25: '59' });
  expect(fields({ ...ONLINE, entryMode: 'stored' })).toMatchObject({ 22: '102', 25: '08' });
  expect(fields(ONLINE)[26]).toBeUndefined();
});

it('are not written where the other side would cut the line for them', () => {
  const long = { ...ONLINE, iccData: '9F10'.repeat(490), details: 'a=%C3&'.repeat(665) };
  expect(() => packExchange(DIALECTS.cmf, long, true)).toThrow(/tooLong: message/);
});

it.each([
  ['the leap day', '20280229235959', Date.UTC(2028, 2, 1)],
  ['the leap day, a year before', '20280229235959', Date.UTC(2028, 0, 1)],
  ['the last day of a year', '20261231235959', Date.UTC(2027, 0, 1)],
])('reads %s of any dialect', (_, at, nowMs) => {
  for (const name of DIALECT_NAMES) {
    const settlementDate = at.slice(0, 8);
    const answer = answerTo({ ...SALE, at }, { responseCode: '00', settlementDate });
    const bytes = packExchange(DIALECTS[name], answer, false);
    expect(unpackExchange(DIALECTS[name], bytes, nowMs)).toMatchObject({ at, settlementDate });
  }
});

it.each([
  ['JPY', 100, '000000000100'],
  ['KWD', 1_234, '000000001234'],
  ['EUR', 999_999_999_999, '999999999999'],
])('writes amounts of %s in its minor units', (currency, minor, digits) => {
  for (const name of DIALECT_NAMES) {
    const sale: ExchangeMessage = { ...SALE, amount: { minor, currency } };
    const bytes = packExchange(DIALECTS[name], sale, false);
    expect(unpackMessage(DIALECTS[name], bytes).fields[4]).toMatch(new RegExp(`${digits}$`));
    expect(unpackExchange(DIALECTS[name], bytes, NOW_MS).amount).toEqual(sale.amount);
  }
});

it.each(DIALECT_NAMES)('brings amounts of every currency in %s, and its totals', (name) => {
  const minors = fc.integer({ min: 0, max: 999_999_999_999 });
  const brought = (message: ExchangeMessage): ExchangeMessage =>
    unpackExchange(DIALECTS[name], packExchange(DIALECTS[name], message, false), NOW_MS);
  fc.assert(
    fc.property(fc.constantFrom(...currencyCodes()), minors, (currency, minor) => {
      const amount = { minor, currency };
      expect(brought({ ...SALE, amount }).amount).toEqual(amount);
      expect(brought({ ...REVERSAL, amount, remaining: amount }).remaining).toEqual(amount);
      const totals = { ...NO_TOTALS, debits: { number: 1, minor } };
      expect(brought({ ...TOTALS, totals, net: amount })).toMatchObject({ totals, net: amount });
    }),
  );
});

describe('totals', () => {
  const fieldsOf = (name: keyof typeof DIALECTS, message: ExchangeMessage) =>
    unpackMessage(DIALECTS[name], packExchange(DIALECTS[name], message, false)).fields;

  it.each(['1987-binary', '1987-ascii'] as const)(
    'of %s have the net with its sign, and no amount',
    (name) => {
      expect(fieldsOf(name, TOTALS)).toMatchObject({
        ...{ 50: '978', 74: '0000000001', 75: '0000000000', 76: '0000000010', 77: '0000000002' },
        ...{ 86: '0000000000000500', 88: '0000000000012340', 89: '0000000000000700' },
        97: 'D0000000000011140',
      });
      expect(fieldsOf(name, NET_CREDIT)).toMatchObject({ 50: '392', 97: 'C0000000000000500' });
      for (const field of [4, 49]) expect(fieldsOf(name, TOTALS)).not.toHaveProperty(String(field));
    },
  );

  it('of cmf have the net with its currency', () => {
    expect(fieldsOf('cmf', TOTALS)[97]).toBe('978200000000000011140');
    expect(fieldsOf('cmf', NET_CREDIT)[97]).toBe('392000000000000000500');
  });

  it('are answered by a settlement code, which suffices', () => {
    const dialect = DIALECTS['1987-binary'];
    const readBack = (responseCode: string) => {
      const bytes = packExchange(dialect, answerTo(TOTALS, { responseCode }), false);
      const { 39: _, ...fields } = unpackMessage(dialect, bytes).fields;
      const answer = unpackExchange(dialect, packMessage(dialect, { mti: '0510', fields }), NOW_MS);
      return [fields[66], answer.responseCode];
    };
    expect(['00', '95', '12'].map(readBack)).toEqual([
      ['1', '00'],
      ['2', '95'],
      ['3', '96'],
    ]);
  });

  it('of more than a number counts exactly are none', () => {
    for (const [field, value] of [
      [86, '9'.repeat(16)],
      [97, `D${'9'.repeat(16)}`],
    ] as const) {
      const fields = { ...fieldsOf('1987-binary', TOTALS), [field]: value };
      const bytes = packMessage(DIALECTS['1987-binary'], { mti: '0500', fields });
      expect(() => unpackExchange(DIALECTS['1987-binary'], bytes, NOW_MS)).toThrow(`field ${field}`);
    }
  });

  it('whose net has no currency are none', () => {
    const dialect = DIALECTS['1987-ascii'];
    const { 50: _, ...fields } = fieldsOf('1987-ascii', TOTALS);
    const bytes = packMessage(dialect, { mti: '0500', fields });
    expect(() => unpackExchange(dialect, bytes, NOW_MS)).toThrow(/field 97/);
  });
});

it('completes a time by the year that brings it nearest', () => {
  const dialect = DIALECTS['1987-binary'];
  const echo: ExchangeMessage = {
    ...REQUEST,
    kind: 'network',
    stan: '000001',
    at: '20261231235959',
    network: 'echo',
  };
  const bytes = packExchange(dialect, echo, false);
  expect(unpackExchange(dialect, bytes, Date.UTC(2027, 0, 1)).at).toBe('20261231235959');
  expect(unpackExchange(dialect, bytes, Date.UTC(2026, 11, 31)).at).toBe('20261231235959');
});

describe('an answer without a currency, as hosts of one currency give it', () => {
  const dialect = DIALECTS['1987-binary'];
  const { entryMode: _, pinBlock: __, ...sold } = SALE;
  const bytesOf = (message: ExchangeMessage) => {
    const { mti, fields } = unpackMessage(dialect, packExchange(dialect, message, false));
    const { 49: ___, ...others } = fields;
    return packMessage(dialect, { mti, fields: others });
  };
  const answer = { ...sold, isResponse: true, responseCode: '00' };

  it('has its amount, and no currency', () => {
    const read = unpackExchange(dialect, bytesOf(answer), NOW_MS);
    expect(read).toMatchObject({ responseCode: '00', amount: { minor: 1_234, currency: NO_CURRENCY } });
  });

  it('is read with what stays of a reversal, too; a request without a currency is none', () => {
    const remaining = { minor: 234, currency: 'EUR' };
    const reversal = { ...answer, kind: 'reversal', isAdvice: true, remaining } as const;
    expect(unpackExchange(dialect, bytesOf(reversal), NOW_MS)).toMatchObject({
      remaining: { minor: 234, currency: NO_CURRENCY },
    });
    expect(() => unpackExchange(dialect, bytesOf(sold), NOW_MS)).toThrow(/field 4/);
  });
});
