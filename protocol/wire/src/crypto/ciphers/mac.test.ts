import { describe, expect, it } from 'vitest';
import { fromHex, toHex } from '../../bytes.js';
import { hex, text, type Vector, vectorsOf } from '../vectors.test.support.js';
import { type KcvMethod, kcv } from './kcv.js';
import { aesCmac, iso9797Algorithm1, iso9797Algorithm3, retailMac, tdesCmac } from './mac.js';
import { type MacPadding, padBit, padForMac, padZeros, unpadBit } from './padding.js';

function computeMac(vector: Vector): Buffer {
  const ascii = vector.inputs.dataAscii;
  const data = typeof ascii === 'string' ? Buffer.from(ascii, 'latin1') : hex(vector, 'dataHex');
  const padding = vector.inputs.padding as MacPadding;
  switch (vector.inputs.algorithm) {
    case 'iso9797Algorithm1':
      return iso9797Algorithm1(hex(vector, 'key'), data, padding);
    case 'iso9797Algorithm3':
      return iso9797Algorithm3(hex(vector, 'key1'), hex(vector, 'key2'), data, padding);
    case 'aesCmac':
      return aesCmac(hex(vector, 'key'), data);
    default:
      return tdesCmac(hex(vector, 'key'), data);
  }
}

describe('MACs and check values, published vectors', () => {
  it.each(vectorsOf('mac-kcv', 'mac').map((v) => [v.name, v] as const))('%s', (_, vector) => {
    expect(toHex(computeMac(vector))).toBe(vector.expected.mac);
  });

  it.each(vectorsOf('mac-kcv', 'kcv').map((v) => [v.name, v] as const))('%s', (_, vector) => {
    const method = text(vector, 'method') as KcvMethod;
    const value = kcv(method, hex(vector, 'key'), vector.inputs.kcvBytes as number);
    expect(toHex(value)).toBe(vector.expected.kcv);
  });
});

describe('retail MAC', () => {
  it.each([0, 1, 7, 8, 9, 16, 40])('of %i bytes equals algorithm 3 with the halves', (length) => {
    const key = fromHex('0123456789ABCDEFFEDCBA9876543210');
    const data = Buffer.alloc(length, 0x5a);
    for (const padding of ['iso9797Method1', 'iso9797Method2', 'iso9797Method3'] as const) {
      const direct = iso9797Algorithm3(key.subarray(0, 8), key.subarray(8), data, padding);
      expect(toHex(retailMac(key, data, padding))).toBe(toHex(direct));
    }
  });

  it('takes two keys, not one or three', () => {
    expect(() => retailMac(new Uint8Array(24), new Uint8Array(8), 'iso9797Method1')).toThrow(/badKeyLength/);
  });
});

describe('padding', () => {
  it('method 1 adds nothing to whole blocks, method 2 always adds', () => {
    expect(padZeros(Buffer.alloc(8, 1), 8)).toHaveLength(8);
    expect(toHex(padBit(Buffer.alloc(8, 1), 8))).toBe('01010101010101018000000000000000');
    expect(toHex(padForMac(fromHex('AABB'), 'iso9797Method3', 8))).toBe('0000000000000010AABB000000000000');
  });

  it('method 2 comes off again, whatever the data ends with', () => {
    for (const data of ['', '80', '8000', '00', 'FF00', '0102030405060780']) {
      expect(toHex(unpadBit(padBit(fromHex(data), 8)))).toBe(data);
    }
    for (const wrong of ['', '0000', 'FF', '0102']) {
      expect(() => unpadBit(fromHex(wrong))).toThrow(/badPadding/);
    }
  });
});
