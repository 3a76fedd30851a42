const POLYNOMIAL = 0x1021;
const INITIAL = 0xffff;

/** The remainder that each value of the upper byte leaves. */
const REMAINDERS: Uint16Array = Uint16Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte << 8;
  for (let bit = 0; bit < 8; bit += 1) {
    remainder = (remainder & 0x8000) !== 0 ? (remainder << 1) ^ POLYNOMIAL : remainder << 1;
  }
  return remainder & 0xffff;
});

/** CRC-16/CCITT-FALSE: polynomial 1021, initial value FFFF, no reflection (NEO 2 guide §3.4). */
export function crcCcitt(bytes: Uint8Array): number {
  let crc = INITIAL;
  for (const byte of bytes) crc = ((crc << 8) & 0xffff) ^ (REMAINDERS[(crc >>> 8) ^ byte] ?? 0);
  return crc;
}
