const POLYNOMIAL = 0x1021;

/** The remainder that each value of the upper byte leaves. */
const REMAINDERS: Uint16Array = Uint16Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte << 8;
  for (let bit = 0; bit < 8; bit += 1) {
    remainder = (remainder & 0x8000) !== 0 ? (remainder << 1) ^ POLYNOMIAL : remainder << 1;
  }
  return remainder & 0xffff;
});

/**
 * CRC-16 with polynomial 1021 and no reflection, as three makers use it. The initial value distinguishes them: 0 is CRC-16/XMODEM (ABECS 2.12
 * §7.2; SDI guide, protocol type A), FFFF is CRC-16/CCITT-FALSE (NEO 2 guide §3.4). The CRC of a first part continues with the next.
 */
export function crc16(bytes: Uint8Array, initial = 0): number {
  let crc = initial;
  for (const byte of bytes) crc = ((crc << 8) & 0xffff) ^ (REMAINDERS[(crc >>> 8) ^ byte] ?? 0);
  return crc;
}
