import { type CodeSpec, codeTable, type HintOf, specByCode } from '../code-table.js';

/** The status codes of answers (NEO 2 guide, status codes for protocol 2). */
export const STATUSES = codeTable({
  ok: [0x00, 'ok', 'done'],
  wrongHeader: [0x01, 'host-error', 'wrong header tag'],
  unknownCommand: [0x02, 'host-error', 'unknown command'],
  unknownSubCommand: [0x03, 'host-error', 'unknown sub-command'],
  wrongCrc: [0x04, 'host-error', 'CRC error'],
  wrongParameter: [0x05, 'host-error', 'incorrect parameter'],
  parameterNotSupported: [0x06, 'host-error', 'parameter not supported'],
  wrongFormat: [0x07, 'host-error', 'mal-formatted data'],
  timeout: [0x08, 'timed-out', 'timeout'],
  failed: [0x0a, 'failed', 'failed'],
  notAllowed: [0x0b, 'not-now', 'command not allowed'],
  subCommandNotAllowed: [0x0c, 'not-now', 'sub-command not allowed'],
  overflow: [0x0d, 'host-error', 'data too long for the reader'],
  userInterfaceEvent: [0x0e, 'accepted', 'user interface event'],
  secureInterface: [0x12, 'device-error', 'secure interface not functional'],
  tampered: [0x1d, 'tampered', 'tamper occurred'],
  online: [0x23, 'online', 'online authorisation requested'],
  notThere: [0x60, 'failed', 'no such data'],
  listFull: [0x61, 'failed', 'the list is full'],
  accepted: [0x63, 'accepted', 'accepted'],
});

/** What a status code means; one that is not in the table is a fault of the device. */
export const statusOf = specByCode(STATUSES, { meaning: 'unknown status', hint: 'device-error' });

/** The result codes of tag DFEE25 (EMV result codes of the maker's published SDK headers and test logs). */
export const RESULTS = codeTable({
  approvedOffline: [0x0000, 'approved-offline', 'approved offline'],
  declinedOffline: [0x0001, 'declined-offline', 'declined offline'],
  approved: [0x0002, 'approved', 'approved'],
  declined: [0x0003, 'declined', 'declined'],
  goOnline: [0x0004, 'go-online', 'go online'],
  notAccepted: [0x0006, 'card-error', 'not accepted'],
  fallbackSwiped: [0x0007, 'fallback-swiped', 'swiped after a chip that could not be read'],
  timeout: [0x0008, 'timed-out', 'timeout'],
  started: [0x0010, 'started', 'chip read'],
  swiped: [0x0011, 'swiped', 'card without a chip swiped'],
  cancelled: [0x0012, 'cancelled', 'transaction cancelled'],
  declinedUnableToGoOnline: [0x0203, 'declined', 'declined, the host was not reached'],
  cardAbsent: [0x3005, 'card-removed', 'no card in the slot'],
  cardTimeout: [0x3006, 'card-error', 'the chip did not answer in time'],
  magstripeError: [0x3007, 'card-error', 'the magstripe could not be read'],
  noCardInTime: [0x3013, 'timed-out', 'no card in time'],
  noMatchingApplication: [0x5005, 'no-application', 'no matching application'],
  dataMissing: [0x5006, 'card-error', 'a mandatory object is missing'],
  cardRejected: [0x5009, 'card-error', 'card rejected'],
  cardBlocked: [0x5023, 'card-blocked', 'card blocked'],
  cardCommunication: [0x5025, 'card-removed', 'communication with the card failed'],
  applicationNotSupported: [0x5032, 'no-application', 'application not supported'],
});

/** Name of a result code. */
export type ResultName = keyof typeof RESULTS;

/** How a step of a contact or magstripe transaction ended. */
export type ResultKind = HintOf<typeof RESULTS> | 'device-error';

/** What a result code means; one that is not in the table is a fault of the device. */
export const resultOf = specByCode(RESULTS, { meaning: 'unknown result', hint: 'device-error' });

/** Why a tap failed: first byte of tag FFEE1F (NEO 2 guide, error codes). */
export const TAP_ERRORS = codeTable({
  collision: [0x21, 'again', 'more than one card in the field'],
  amountOverLimit: [0x22, 'other-interface', 'amount over the contactless limit'],
  communication: [0x24, 'again', 'card communication error'],
  blocked: [0x25, 'other-interface', 'card blocked'],
  expired: [0x26, 'expired', 'card expired'],
  unsupported: [0x27, 'other-interface', 'card not supported'],
  noResponse: [0x30, 'again', 'card did not respond'],
  aac: [0x42, 'declined', 'card declined'],
});

/** What is known of a tap's error; undefined for one that is not in the table. */
export function tapErrorOf(code: number): CodeSpec<HintOf<typeof TAP_ERRORS>> | undefined {
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
