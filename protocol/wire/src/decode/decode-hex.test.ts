import { expect, it } from 'vitest';
import { toHex } from '../bytes.js';
import { DIALECTS } from '../iso8583/dialects/dialects.js';
import { packMessage } from '../iso8583/message.js';
import { decodeHex } from './decode-hex.js';

const refuse = (problem: string) => new RangeError(problem);
const ECHO = packMessage(DIALECTS['1987-binary'], { mti: '0800', fields: { 11: '000001', 70: '301' } });

it('takes a message of a known dialect for one, with a length in front and without', () => {
  const framed = Buffer.concat([Buffer.from([0, ECHO.length]), ECHO]);
  for (const bytes of [ECHO, framed]) {
    const { text, problem } = decodeHex(toHex(bytes), {}, refuse);
    expect(text).toMatch(/^dialect 1987-binary\n.*network management.*\n 11 .*000001\n 70 .*\(echo test\)$/);
    expect(problem).toBeUndefined();
  }
});

it('takes everything else for data of a card', () => {
  expect(decodeHex('9F270180', {}, refuse).text).toContain('ARQC');
});

it('shows a broken message whose dialect is not named', () => {
  const sale = packMessage(DIALECTS['1987-binary'], {
    mti: '0200',
    fields: { 2: '4761739001010010', 3: '0', 11: '1', 41: 'T1', 112: 'x' },
  });
  const { text, problem } = decodeHex(toHex(sale.subarray(0, -1)), {}, refuse);
  expect(text).toContain('primary account number: 476173******0010');
  expect(text).not.toContain('4761739001010010');
  expect(problem).toContain('truncated: field 112');
});

it('shows a broken message where its dialect is named', () => {
  const cut = toHex(ECHO.subarray(0, -1));
  const { text, problem } = decodeHex(cut, { dialect: '1987-binary' }, refuse);
  expect(text).toContain('system trace audit number');
  expect(problem).toBe('no message of 1987-binary from here on: truncated: field 70: the message ends early');
  expect(() => decodeHex(cut, { dialect: 'cmf', tag: '95' }, refuse)).toThrow(/not both/);
});

it('gives a message as JSON', () => {
  const { text } = decodeHex(toHex(ECHO), { json: true }, refuse);
  expect(JSON.parse(text)).toMatchObject({ dialect: '1987-binary', fields: [{ field: 'MTI' }, {}, {}] });
});
