import { TerminalFormatError } from '../format-error.js';

/** Longest wait of GET PAN, two bytes of seconds; zero would have no end. */
const MAX_KEYED_SECONDS = 0xffff;

/** First byte of the flags (NEO 2 guide §8.24.10); bits 3 and 4 ask for an address. */
const REQUESTED_FIELDS = { cardNumber: 0x01, expiry: 0x04 } as const;
const CHECK_DIGIT = 0x20;
const REQUEST_BYTES = 4;

/** What GET PAN (83-41) has keyed in: the card number and its expiry. */
export interface KeyedRequest {
  /** 1 to {@link MAX_KEYED_SECONDS}. */
  readonly timeoutSeconds: number;
  /** A number whose check digit is wrong is not taken. */
  readonly checkDigit: boolean;
}

/**
 * Writes the data of 83-41. The security code (bit 1) is not requested: where it stands among the enciphered data was
 * not read (from public sources incomplete).
 */
export function encodeKeyedRequest({ timeoutSeconds, checkDigit }: KeyedRequest): Buffer {
  const flags = REQUESTED_FIELDS.cardNumber | REQUESTED_FIELDS.expiry | (checkDigit ? CHECK_DIGIT : 0);
  return Buffer.of(timeoutSeconds >>> 8, timeoutSeconds & 0xff, flags, 0);
}

/** Reads the data of 83-41. @throws TerminalFormatError, also for a request of anything else than card number and expiry */
export function decodeKeyedRequest(data: Uint8Array): KeyedRequest {
  const [high = 0, low = 0, flags = 0, special] = data;
  if (data.length !== REQUEST_BYTES) throw new TerminalFormatError('keyed request', 'must have 4 bytes');
  if ((flags & ~CHECK_DIGIT) !== (REQUESTED_FIELDS.cardNumber | REQUESTED_FIELDS.expiry) || special !== 0) {
    throw new TerminalFormatError('keyed request', 'must ask for card number and expiry alone');
  }
  const timeoutSeconds = (high << 8) | low;
  if (timeoutSeconds === 0)
    throw new TerminalFormatError('timeout', `must be 1 to ${MAX_KEYED_SECONDS} seconds`);
  return { timeoutSeconds, checkDigit: (flags & CHECK_DIGIT) !== 0 };
}
