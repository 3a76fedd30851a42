import { expect, test } from 'vitest';
import { MAX_LINE_CHARACTERS, MAX_RECEIPT_LINES, readEscPos } from './esc-pos.js';

const ESC = '\x1b';
const GS = '\x1d';
const bytes = (text: string) => Buffer.from(text, 'latin1');

test('a print becomes receipts: text, bold lines, cuts', () => {
  const print = `${ESC}@${ESC}E\x01SHOP${ESC}E\x00\nTotal   3.00\n\n\n${GS}V\x42\x00COPY\n${GS}V\x00`;
  expect(readEscPos(bytes(print))).toEqual([
    [
      { text: 'SHOP', bold: false },
      { text: 'Total   3.00', bold: false },
    ],
    [{ text: 'COPY', bold: false }],
  ]);
  expect(readEscPos(bytes(`${ESC}E\x01SHOP\n`))).toEqual([[{ text: 'SHOP', bold: true }]]);
});

test('letters beyond ASCII follow the code page', () => {
  expect(readEscPos(bytes(`\x81${ESC}t\x13\xd5${ESC}t\x10\xe9\n`))).toEqual([[{ text: 'ü€é', bold: false }]]);
});

test('pictures and bar codes are passed over; commands that are cut short end the print', () => {
  expect(readEscPos(bytes(`${GS}v0\x00\x02\x00\x02\x00ABCDafter\n`))).toEqual([
    [{ text: 'after', bold: false }],
  ]);
  expect(readEscPos(bytes(`${GS}(k\x03\x001A2after\n`))).toEqual([[{ text: 'after', bold: false }]]);
  expect(readEscPos(bytes(`x${ESC}`))).toEqual([[{ text: 'x', bold: false }]]);
  expect(readEscPos(bytes(`x${GS}v0\x00\xff\xff\xff\xff`))).toEqual([[{ text: 'x', bold: false }]]);
});

test('paper has an end', () => {
  const [receipt] = readEscPos(bytes(`${'x'.repeat(1_000)}\n`.repeat(1_000)));
  expect(receipt).toHaveLength(MAX_RECEIPT_LINES);
  expect(receipt?.[0]?.text).toHaveLength(MAX_LINE_CHARACTERS);
});
