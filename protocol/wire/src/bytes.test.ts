import { expect, it } from 'vitest';
import { toHex, toLowerHex } from './bytes.js';

it('writes bytes of any number as hex of either case', () => {
  for (let length = 0; length <= 40; length += 1) {
    // A part of a longer array: neither its beginning nor its end is that of the buffer.
    const bytes = Uint8Array.from({ length: length + 9 }, (_, at) => at * 37).subarray(5, 5 + length);
    const hex = Buffer.from(bytes).toString('hex');
    expect([toLowerHex(bytes), toHex(bytes)]).toEqual([hex, hex.toUpperCase()]);
  }
});
