import { expect, test } from 'vitest';
import { TerminalFormatError } from '../format-error.js';
import { decodePinEntry, decodePinEntryAnswer, encodePinEntry, encodePinEntryAnswer } from './pin-entry.js';

const REQUEST = {
  keySlot: 1,
  keyType: 1,
  pan: '4200000000000018',
  maxDigits: 12,
  timeoutSeconds: 30,
  rows: ['Enter online PIN:'],
} as const;

test('a request has the bytes of the published host', () => {
  const bytes = Buffer.from(
    '\x01\x01\x004200000000000018\x1c\0\0\x0c\0\x1e\0Enter online PIN:\x1c\x1c\x1c\x1c',
    'latin1',
  );
  expect(encodePinEntry(REQUEST)).toEqual(bytes);
  expect(decodePinEntry(bytes)).toEqual(REQUEST);
  expect(() => decodePinEntry(bytes.subarray(0, -1))).toThrow(TerminalFormatError);
  expect(() => encodePinEntry({ ...REQUEST, rows: ['1', '2', '3', '4', '5'] })).toThrow('at most 4');
});

test('an answer has a block, or none for a skipped entry', () => {
  const block = Buffer.from('0123456789ABCDEF', 'hex');
  expect(encodePinEntryAnswer(block).toString('hex')).toBe('00080123456789abcdef');
  expect(decodePinEntryAnswer(encodePinEntryAnswer(block))).toEqual(block);
  expect(decodePinEntryAnswer(encodePinEntryAnswer(undefined))).toBeUndefined();
  expect(() => decodePinEntryAnswer(Buffer.of(0, 8, 1))).toThrow(TerminalFormatError);
});
