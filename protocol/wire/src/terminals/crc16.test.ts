import { describe, expect, it } from 'vitest';
import { crc16 } from './crc16.js';

/** The text whose check value the catalogues of CRCs give. */
const CHECK = Buffer.from('123456789');

describe('CRC-16 with polynomial 1021', () => {
  it('has the check values of its two kinds', () => {
    expect(crc16(CHECK)).toBe(0x31c3);
    expect(crc16(CHECK, 0xffff)).toBe(0x29b1);
  });

  it('continues from part to part', () => {
    for (let at = 0; at <= CHECK.length; at += 1)
      expect(crc16(CHECK.subarray(at), crc16(CHECK.subarray(0, at)))).toBe(0x31c3);
  });
});
