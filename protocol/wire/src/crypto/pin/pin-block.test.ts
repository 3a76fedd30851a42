import { describe, expect, it } from 'vitest';
import { fromHex, toHex } from '../../bytes.js';
import { hex, isNegative, text, vectorsOf } from '../vectors.test.support.js';
import { decodePinBlock, encodePinBlock, type ShortPinBlockFormat } from './pin-block.js';

let counter = 0;
const random = (length: number): Uint8Array =>
  Uint8Array.from({ length }, () => {
    counter = (counter * 73 + 41) % 251;
    return counter;
  });

describe('PIN block formats 0 to 3, published vectors', () => {
  it.each(vectorsOf('pinblock', 'encode').map((v) => [v.name, v] as const))('%s', (_, vector) => {
    const pan = vector.inputs.pan as string | undefined;
    const format = vector.inputs.format as ShortPinBlockFormat;
    const block = toHex(encodePinBlock({ format, pin: text(vector, 'pin'), ...(pan && { pan }), random }));
    const start = vector.expected.clearPinBlockStartsWith ?? vector.expected.clearPinBlock;
    expect(block.slice(0, (start as string).length)).toBe(start);
  });

  it.each(vectorsOf('pinblock', 'decode').map((v) => [v.name, v] as const))('%s', (_, vector) => {
    const decode = () =>
      decodePinBlock(
        vector.inputs.format as ShortPinBlockFormat,
        hex(vector, 'clearPinBlock'),
        vector.inputs.pan as string | undefined,
      );
    if (isNegative(vector)) expect(decode).toThrow(expect.objectContaining({ rule: vector.expected.error }));
    else expect(decode().toString('latin1')).toBe(vector.expected.pin);
  });
});

describe('PIN block', () => {
  it.each([0, 1, 2, 3] as const)('format %i gives the PIN back for every length', (format) => {
    for (let length = 4; length <= 12; length += 1) {
      const pin = '918273645019'.slice(0, length);
      const block = encodePinBlock({ format, pin, pan: '4000000000000002', random });
      expect(decodePinBlock(format, block, '4000000000000002').toString('latin1')).toBe(pin);
    }
  });

  it('takes the PIN as ASCII bytes and leaves them to the caller', () => {
    const pin = Buffer.from('1234', 'latin1');
    expect(toHex(encodePinBlock({ format: 0, pin, pan: '5432101234567891' }))).toBe('041215FEDCBA9876');
    expect(pin.toString('latin1')).toBe('1234');
  });

  it('fills format 3 with letters only, each of the six', () => {
    const seen = new Set<string>();
    for (let i = 0; i < 60; i += 1) {
      const block = encodePinBlock({ format: 3, pin: '1234', pan: '0000000000000', random });
      for (const nibble of toHex(block).slice(6)) seen.add(nibble);
    }
    expect([...seen].sort().join('')).toBe('ABCDEF');
  });

  it('refuses what is no PIN, a missing PAN, a missing random source', () => {
    expect(() => encodePinBlock({ format: 2, pin: '123' })).toThrow(/badPin/);
    expect(() => encodePinBlock({ format: 2, pin: '1234567890123' })).toThrow(/badPin/);
    expect(() => encodePinBlock({ format: 2, pin: '12a4' })).toThrow(/badPin/);
    expect(() => encodePinBlock({ format: 0, pin: '1234' })).toThrow(/PAN/);
    expect(() => encodePinBlock({ format: 3, pin: '1234', pan: '4000000000000002' })).toThrow(/random/);
    expect(() => encodePinBlock({ format: 1, pin: '1234' })).toThrow(/random/);
    expect(() => decodePinBlock(2, fromHex('2412'))).toThrow(/badDataLength/);
  });

  it('never shows PIN digits in an error', () => {
    try {
      decodePinBlock(2, fromHex('2412A4FFFFFFFFFF'));
      expect.unreachable();
    } catch (error) {
      expect(String(error)).not.toMatch(/12A4|1234/);
    }
  });
});
