import { expect, test } from 'vitest';
import { maskBytes } from './mask-bytes.js';
import { decodeTrace, encodeEvent, encodeHeader, TraceError, type TraceEvent } from './trace.js';

const HEADER = { deviceType: 'GERTEC_PPC930', transport: 'serial', startedAt: '2026-11-20T10:00:00.000Z' };

test('what was written is read again', () => {
  const events: TraceEvent[] = [
    { kind: 'open', atMs: 0 },
    { kind: 'bytes', atMs: 12, from: 'host', bytes: Buffer.from('164F504E17A8A9', 'hex') },
    { kind: 'bytes', atMs: 20, from: 'device', bytes: Buffer.of(6) },
    { kind: 'closed', atMs: 99 },
  ];
  const text = [encodeHeader(HEADER), ...events.map(encodeEvent), ''].join('\n');
  expect(decodeTrace(text)).toEqual({ header: HEADER, events });
});

test.each([
  ['', 'empty'],
  ['hello', 'line 1 is no JSON'],
  ['{"format":"other"}', 'not the head'],
  [`${encodeHeader(HEADER)}\n{"atMs":1}`, 'line 2 must have host'],
  [`${encodeHeader(HEADER)}\n\n{"atMs":1,"host":"0"}`, 'line 3: host must be hex'],
  [`${encodeHeader(HEADER)}\n{"atMs":-1,"line":"open"}`, 'atMs'],
])('%j is refused', (text, why) => {
  expect(() => decodeTrace(text)).toThrow(TraceError);
  expect(() => decodeTrace(text)).toThrow(why);
});

test('a PAN loses its middle, in characters and in packed digits; other bytes stay', () => {
  const pan = '5454545454545454';
  expect(maskBytes(Buffer.from(`x${pan}x`, 'latin1')).toString('latin1')).toBe('x5454540000005454x');
  expect(
    maskBytes(Buffer.from(`5A08${pan}9F02`, 'hex'))
      .toString('hex')
      .toUpperCase(),
  ).toBe('5A0854545400000054549F02');
  const bytes = Buffer.from('0102FFFE163A', 'hex');
  expect(maskBytes(bytes)).toEqual(bytes);
});
