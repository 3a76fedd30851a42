import { CryptoError } from './errors.js';

/** Padding methods of ISO/IEC 9797-1 §6.3, named as in the vectors. */
export type MacPadding = 'iso9797Method1' | 'iso9797Method2' | 'iso9797Method3';

/** Zero bytes up to the next block; nothing when the data already ends on one (method 1; empty data becomes one block). */
export function padZeros(data: Uint8Array, blockBytes: number): Buffer {
  const padded = Buffer.alloc(Math.max(blockBytes, Math.ceil(data.length / blockBytes) * blockBytes));
  padded.set(data);
  return padded;
}

/** A byte 80, then zero bytes up to the next block; always at least one byte (method 2, EMV Book 2 A1.2). */
export function padBit(data: Uint8Array, blockBytes: number): Buffer {
  const padded = Buffer.alloc((Math.floor(data.length / blockBytes) + 1) * blockBytes);
  padded.set(data);
  padded[data.length] = 0x80;
  return padded;
}

/** A block with the length of the data in bits in front, zero bytes behind (method 3). */
function padLength(data: Uint8Array, blockBytes: number): Buffer {
  const length = Buffer.alloc(blockBytes);
  length.writeBigUInt64BE(BigInt(data.length) * 8n, blockBytes - 8);
  return Buffer.concat([length, padZeros(data, blockBytes)]);
}

/** The data padded by the named method. */
export function padForMac(data: Uint8Array, padding: MacPadding, blockBytes: number): Buffer {
  if (padding === 'iso9797Method1') return padZeros(data, blockBytes);
  if (padding === 'iso9797Method2') return padBit(data, blockBytes);
  return padLength(data, blockBytes);
}

/**
 * The data without its method 2 padding.
 * @throws CryptoError badPadding when the end is not 80 followed by zero bytes
 */
export function unpadBit(data: Uint8Array): Buffer {
  let end = data.length - 1;
  while (end >= 0 && data[end] === 0) end -= 1;
  if (end < 0 || data[end] !== 0x80)
    throw new CryptoError('badPadding', 'no 80 followed by zeros at the end');
  return Buffer.from(data.subarray(0, end));
}
