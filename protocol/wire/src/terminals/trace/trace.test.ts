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

test('a PAN loses its middle, in characters, tracks and tags, and a track its end; other bytes stay', () => {
  const text = (value: string) => maskBytes(Buffer.from(value, 'latin1')).toString('latin1');
  const hex = (value: string) => maskBytes(Buffer.from(value, 'hex')).toString('hex').toUpperCase();
  expect(text('x5454545454545454x')).toBe('x5454540000005454x');
  expect(text(';4200000000000075=31121011234567?')).toBe(';4200000000000075=31121010000000?');
  expect(text(';5412345678901232=3112?')).toBe(';5412340000001232=3112?');
  expect(hex('5A0854545454545454549F0206000000001234')).toBe('5A0854545400000054549F0206000000001234');
  expect(hex('57125412345678901232D3112101123456789F')).toBe('57125412340000001232D3112101000000000F');
  for (const other of ['0102FFFE163A', '9F0206000000001234 9A03261120 9F2103101530'.replaceAll(' ', '')]) {
    expect(hex(other)).toBe(other);
  }
});
