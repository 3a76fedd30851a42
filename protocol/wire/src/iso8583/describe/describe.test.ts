import { describe, expect, it } from 'vitest';
import { DIALECTS } from '../dialects/dialects.js';
import { packMessage } from '../message.js';
import { describeMessage, dialectsOf, formatMessage } from './describe.js';

const PAN = '4761739001010010';
const SALE = {
  mti: '0200',
  fields: {
    2: PAN,
    3: '000000',
    4: '000000001234',
    11: '000001',
    22: '051',
    35: `${PAN}=31122010000012300000`,
    39: '51',
    41: 'T1001   ',
    48: '400020570003456',
    52: '0011223344556677',
    55: '9F2701805A084761739001010010',
    46: `card ${PAN}`,
    102: PAN,
  },
};
const described = (name: '1987-binary' | '1987-ascii') =>
  describeMessage(DIALECTS[name], packMessage(DIALECTS[name], SALE));

describe('descriptions of messages', () => {
  it.each(['1987-binary', '1987-ascii'] as const)('of %s show no secret', (name) => {
    const text = formatMessage(described(name)).join('\n');
    for (const secret of [PAN, '456', '0011223344556677', '12300000']) expect(text).not.toContain(secret);
    expect(JSON.stringify(described(name))).not.toContain(PAN);
  });

  it('say what fields and their values mean', () => {
    const lines = formatMessage(described('1987-binary'));
    expect(lines).toContain('MTI message type: 0200 (financial, request, from acquirer (ISO 8583:1987))');
    expect(lines).toContain('  2 primary account number: 476173******0010');
    expect(lines).toContain('  3 processing code: 000000 (goods and services)');
    expect(lines).toContain(' 22 point of service entry mode: 051 (chip)');
    expect(lines).toContain(' 35 track 2 data: 476173******0010=3112****************');
    expect(lines).toContain(' 39 response code: 51 (not sufficient funds)');
    expect(lines).toContain('     70 card verification value: ***');
    expect(lines).toContain('    9F27 Cryptogram Information Data (CID): 80');
    expect(lines).toContain(' 46 additional data, ISO: card 476173******0010');
  });

  it('hide what is not made of the parts of its field, and tags that no table knows', () => {
    const other = packMessage(DIALECTS['1987-binary'], { mti: '0200', fields: { 48: 'cvv 456' } });
    expect(describeMessage(DIALECTS['1987-binary'], other).fields[1]).toMatchObject({
      value: '*******',
      fault: expect.stringContaining('field 48'),
    });
    const unknown = packMessage(DIALECTS['1987-binary'], { mti: '0200', fields: { 48: '99003456' } });
    expect(JSON.stringify(describeMessage(DIALECTS['1987-binary'], unknown))).not.toContain('456');
  });

  it.each([
    ['a card number with a length in front', '1987-binary', { 46: `0116${PAN}` }, PAN],
    ['one behind a letter', '1987-binary', { 112: `PAN${PAN}` }, PAN],
    ['one in bytes, with a length in front', 'cmf', { 44: `16${PAN}` }, PAN],
    ['one of fifteen digits in BCD, which is filled', 'cmf', { 44: '3714496353984310' }, '371449635398431'],
    ['a key block', '1987-binary', { 120: 'D0112P0TB00N0000A1B2C3D4E5F60718' }, 'A1B2C3D4E5F60718'],
  ] as const)('hide %s', (_, name, fields, secret) => {
    const bytes = packMessage(DIALECTS[name], { mti: name === 'cmf' ? '2200' : '0200', fields });
    const described = describeMessage(DIALECTS[name], bytes);
    expect(described.problem).toBeUndefined();
    expect(JSON.stringify(described)).not.toContain(secret);
  });

  it('give what stands before a mistake', () => {
    const whole = packMessage(DIALECTS['1987-binary'], SALE);
    const { fields, problem } = describeMessage(DIALECTS['1987-binary'], whole.subarray(0, 44));
    expect(fields.map(({ field }) => field)).toEqual(['MTI', '2', '3', '4', '11', '22']);
    expect(problem).toContain('truncated: field 35');
    expect(describeMessage(DIALECTS.cmf, Buffer.from('x'))).toMatchObject({
      fields: [],
      problem: expect.any(String),
    });
  });

  it('find the dialect of bytes', () => {
    const names = (bytes: Uint8Array) => dialectsOf(bytes).map(({ name }) => name);
    expect(names(packMessage(DIALECTS['1987-binary'], SALE))).toEqual(['1987-binary']);
    expect(names(packMessage(DIALECTS['1987-ascii'], SALE))).toEqual(['1987-ascii']);
    expect(names(packMessage(DIALECTS.cmf, { mti: '2804', fields: { 11: '1', 24: '831' } }))).toEqual([
      'cmf',
    ]);
    expect(names(Buffer.from('9F270180', 'hex'))).toEqual([]);
  });
});
