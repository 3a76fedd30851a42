import { specByCode } from '../code-table.js';

/** The status codes of answers (NEO 2 guide, status codes for protocol 2). */
export const STATUSES = {
  ok: { code: 0x00, meaning: 'done', hint: 'ok' },
  wrongHeader: { code: 0x01, meaning: 'wrong header tag', hint: 'host-error' },
  unknownCommand: { code: 0x02, meaning: 'unknown command', hint: 'host-error' },
  unknownSubCommand: { code: 0x03, meaning: 'unknown sub-command', hint: 'host-error' },
  wrongCrc: { code: 0x04, meaning: 'CRC error', hint: 'host-error' },
  wrongParameter: { code: 0x05, meaning: 'incorrect parameter', hint: 'host-error' },
  parameterNotSupported: { code: 0x06, meaning: 'parameter not supported', hint: 'host-error' },
  wrongFormat: { code: 0x07, meaning: 'mal-formatted data', hint: 'host-error' },
  timeout: { code: 0x08, meaning: 'timeout', hint: 'timed-out' },
  failed: { code: 0x0a, meaning: 'failed', hint: 'failed' },
  notAllowed: { code: 0x0b, meaning: 'command not allowed', hint: 'not-now' },
  subCommandNotAllowed: { code: 0x0c, meaning: 'sub-command not allowed', hint: 'not-now' },
  overflow: { code: 0x0d, meaning: 'data too long for the reader', hint: 'host-error' },
  userInterfaceEvent: { code: 0x0e, meaning: 'user interface event', hint: 'accepted' },
  secureInterface: { code: 0x12, meaning: 'secure interface not functional', hint: 'device-error' },
  tampered: { code: 0x1d, meaning: 'tamper occurred', hint: 'tampered' },
  online: { code: 0x23, meaning: 'online authorisation requested', hint: 'online' },
  notThere: { code: 0x60, meaning: 'no such data', hint: 'failed' },
  listFull: { code: 0x61, meaning: 'the list is full', hint: 'failed' },
  accepted: { code: 0x63, meaning: 'accepted', hint: 'accepted' },
} as const;

/** What a status code means; one that is not in the table is a fault of the device. */
export const statusOf = specByCode(STATUSES, { meaning: 'unknown status', hint: 'device-error' });

/** Why a tap failed: first byte of tag FFEE1F (NEO 2 guide, error codes). */
export const TAP_ERRORS = {
  collision: { code: 0x21, meaning: 'more than one card in the field', next: 'again' },
  amountOverLimit: { code: 0x22, meaning: 'amount over the contactless limit', next: 'other-interface' },
  communication: { code: 0x24, meaning: 'card communication error', next: 'again' },
  blocked: { code: 0x25, meaning: 'card blocked', next: 'other-interface' },
  expired: { code: 0x26, meaning: 'card expired', next: 'expired' },
  unsupported: { code: 0x27, meaning: 'card not supported', next: 'other-interface' },
  noResponse: { code: 0x30, meaning: 'card did not respond', next: 'again' },
  aac: { code: 0x42, meaning: 'card declined', next: 'declined' },
} as const;

/** What is known of a tap's error; undefined for one that is not in the table. */
export function tapErrorOf(code: number) {
  return Object.values(TAP_ERRORS).find((error) => error.code === code);
}

/** First byte of what ends a PIN entry (NEO 2 guide §8.24.2). */
export const KEYPAD_STATES = {
  success: 0x00,
  cancelKey: 0x01,
  cancelledByHost: 0x02,
  wrongParameters: 0x03,
  panError: 0x04,
  keyMissing: 0x05,
  keyExhausted: 0x06,
} as const;
