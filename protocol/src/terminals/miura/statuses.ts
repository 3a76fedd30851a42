import { specByCode } from '../code-table.js';

/** SW1 of every error of a transaction command. */
const ERROR = 0x9f00;

/** The status words (SW2 of a transaction command behind SW1 9F). */
export const STATUSES = {
  ok: { code: 0x9000, meaning: 'done', hint: 'ok' },
  invalidParameter: { code: ERROR | 0x0f, meaning: 'invalid parameter', hint: 'host-error' },
  invalidData: { code: ERROR | 0x21, meaning: 'invalid data', hint: 'host-error' },
  notReady: { code: ERROR | 0x22, meaning: 'terminal not ready', hint: 'wrong-state' },
  noCard: { code: ERROR | 0x23, meaning: 'no card in the slot', hint: 'no-card' },
  cardErrorNoSwipe: { code: ERROR | 0x25, meaning: 'card error, no swipe allowed', hint: 'card-error' },
  notAllowed: { code: ERROR | 0x26, meaning: 'command not allowed now', hint: 'wrong-state' },
  dataMissing: { code: ERROR | 0x27, meaning: 'data missing', hint: 'host-error' },
  unsupportedCard: {
    code: ERROR | 0x28,
    meaning: 'card not supported, swipe allowed',
    hint: 'swipe-allowed',
  },
  readError: { code: ERROR | 0x30, meaning: 'card could not be read, swipe allowed', hint: 'swipe-allowed' },
  invalidIssuer: { code: ERROR | 0x40, meaning: 'invalid issuer key', hint: 'card-error' },
  cancelled: { code: ERROR | 0x41, meaning: 'cancelled or aborted', hint: 'cancelled' },
  tapTimeout: { code: ERROR | 0x42, meaning: 'no card was tapped in time', hint: 'timed-out' },
  tapInserted: { code: ERROR | 0x43, meaning: 'a card was inserted instead', hint: 'inserted' },
  tapSwiped: { code: ERROR | 0x44, meaning: 'a card was swiped instead', hint: 'swiped' },
  tapInsertOrSwipe: { code: ERROR | 0xc1, meaning: 'insert or swipe', hint: 'insert-or-swipe' },
  tapOtherCard: { code: ERROR | 0xc2, meaning: 'insert, swipe or use another card', hint: 'other-card' },
  tapInsert: { code: ERROR | 0xc3, meaning: 'insert the card', hint: 'insert-or-swipe' },
  tapHardware: { code: ERROR | 0xcf, meaning: 'contactless hardware error', hint: 'device-error' },
  noPinKey: { code: ERROR | 0xe0, meaning: 'no key', hint: 'key-missing' },
  damagedCommand: { code: 0x6f00, meaning: 'command arrived damaged', hint: 'device-error' },
  unknownCommand: { code: 0x6d00, meaning: 'unknown command', hint: 'host-error' },
  wrongLength: { code: 0x6700, meaning: 'wrong length', hint: 'host-error' },
} as const;

/** What a status word means; one that nobody published is a fault of the device. */
export const statusOf = specByCode(STATUSES, { meaning: 'unknown status', hint: 'device-error' });
