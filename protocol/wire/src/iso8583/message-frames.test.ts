import { describe, expect, it } from 'vitest';
import { fromHex, toHex } from '../bytes.js';
import { LINE_FORM, type LineForm, turnedForm } from './line-form.js';
import { framed, MessageFrames } from './message-frames.js';

const texts = (messages: readonly Buffer[]) => messages.map((message) => message.toString('latin1'));

it('cuts messages out of any pieces, and skips empty ones', () => {
  const stream = Buffer.concat([
    framed(Buffer.from('first')),
    framed(Buffer.alloc(0)),
    framed(Buffer.from('2')),
  ]);
  const whole = new MessageFrames();
  expect(texts(whole.push(stream))).toEqual(['first', '2']);
  const byBytes = new MessageFrames();
  expect(texts([...stream].flatMap((byte) => byBytes.push(Buffer.of(byte))))).toEqual(['first', '2']);
  expect(byBytes.heldBytes).toBe(0);
});

it('holds a part, and refuses a length above its maximum before the bytes came', () => {
  const frames = new MessageFrames(4);
  expect(frames.push(Buffer.from([0, 4, 1]))).toEqual([]);
  expect(frames.heldBytes).toBe(3);
  expect(() => new MessageFrames(4).push(Buffer.from([0, 5]))).toThrow(
    expect.objectContaining({ code: 'tooLong' }),
  );
});

describe.each<[string, LineForm, string]>([
  ['two bytes of BCD', { ...LINE_FORM, length: 'bcd' }, '0012'],
  ['four digits', { ...LINE_FORM, length: 'ascii' }, '30303132'],
  ['two bytes that count themselves', { ...LINE_FORM, countsItself: true }, '000E'],
  ['four digits that count themselves', { ...LINE_FORM, length: 'ascii', countsItself: true }, '30303136'],
  ['a header behind the length', { ...LINE_FORM, tpdu: '6007210000' }, '00116007210000'],
])('a line with %s', (_, form, head) => {
  const message = Buffer.from('0123456789AB');

  it('has it in front of each message', () => {
    expect(toHex(framed(message, form))).toBe(`${head}${toHex(message)}`);
  });

  it('cuts messages byte by byte', () => {
    const frames = new MessageFrames(100, form);
    const stream = Buffer.concat([framed(message, form), framed(Buffer.from('2'), form)]);
    const cut = [...stream].flatMap((byte) => frames.push(Buffer.of(byte)));
    expect(cut.map(String)).toEqual([String(message), '2']);
    expect(frames.heldBytes).toBe(0);
  });

  it('takes no message above its bound', () => {
    const frames = new MessageFrames(11, form);
    expect(() => frames.push(framed(message, form))).toThrow(/at most 11/);
  });
});

it('ends where a length is no number, or less than what it counts', () => {
  const pushed = (form: Partial<LineForm>, hex: string) => () =>
    new MessageFrames(100, { ...LINE_FORM, ...form }).push(fromHex(hex));
  expect(pushed({ length: 'bcd' }, '00A2')).toThrow(/its length is none/);
  expect(pushed({ length: 'ascii' }, '30304131')).toThrow(/its length is none/);
  expect(pushed({ countsItself: true }, '0001')).toThrow(/its length is none/);
  expect(pushed({ tpdu: '6000000000' }, '0004')).toThrow(/its length is none/);
  expect(pushed({ tpdu: '6000000000' }, '0000')()).toEqual([]);
});

it('is answered with destination and source exchanged', () => {
  expect(turnedForm({ ...LINE_FORM, tpdu: '6007210000' }).tpdu).toBe('6000000721');
  expect(turnedForm(LINE_FORM)).toEqual(LINE_FORM);
});

it('has no message that its length cannot say', () => {
  const long = Buffer.alloc(9_999);
  expect(() => framed(long, { ...LINE_FORM, length: 'bcd', countsItself: true })).toThrow(/tooLong/);
  expect(framed(long, { ...LINE_FORM, length: 'bcd' }).readUInt16BE(0)).toBe(0x9999);
});
