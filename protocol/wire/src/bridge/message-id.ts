import type { Random } from '../seams/random.js';

/**
 * A UUIDv7 (RFC 9562 §5.7) for a bridge message: 48 bits of milliseconds since 1970, 74 random bits, lowercase.
 * It sorts by the clock it was given, but order on the bridge is that of the sequence numbers alone.
 */
export function newMessageId(nowMs: number, random: Random): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(Math.min(Math.max(0, Math.floor(nowMs)), 2 ** 48 - 1), 0, 6);
  bytes.set(random.bytes(10), 6);
  bytes[6] = 0x70 | (bytes.readUInt8(6) & 0x0f);
  bytes[8] = 0x80 | (bytes.readUInt8(8) & 0x3f);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/**
 * The correlation id of what a message causes, from the till to the merchant's webhook: its id as 32 hex digits, which is also the id of its
 * trace (W3C Trace Context §3.2.2.3).
 */
export function correlationOf(messageId: string): string {
  return messageId.replaceAll('-', '');
}
