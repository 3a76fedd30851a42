import { codeTable, specByCode } from '../code-table.js';

/** SW1 of every error of a transaction command. */
const ERROR = 0x9f00;

/** The status words (SW2 of a transaction command behind SW1 9F). */
export const STATUSES = codeTable({
  ok: [0x9000, 'ok', 'done'],
  invalidParameter: [ERROR | 0x0f, 'host-error', 'invalid parameter'],
  invalidData: [ERROR | 0x21, 'host-error', 'invalid data'],
  notReady: [ERROR | 0x22, 'wrong-state', 'terminal not ready'],
  noCard: [ERROR | 0x23, 'no-card', 'no card in the slot'],
  cardErrorNoSwipe: [ERROR | 0x25, 'card-error', 'card error, no swipe allowed'],
  notAllowed: [ERROR | 0x26, 'wrong-state', 'command not allowed now'],
  dataMissing: [ERROR | 0x27, 'host-error', 'data missing'],
  unsupportedCard: [ERROR | 0x28, 'swipe-allowed', 'card not supported, swipe allowed'],
  readError: [ERROR | 0x30, 'swipe-allowed', 'card could not be read, swipe allowed'],
  invalidIssuer: [ERROR | 0x40, 'card-error', 'invalid issuer key'],
  cancelled: [ERROR | 0x41, 'cancelled', 'cancelled or aborted'],
  tapTimeout: [ERROR | 0x42, 'timed-out', 'no card was tapped in time'],
  tapInserted: [ERROR | 0x43, 'inserted', 'a card was inserted instead'],
  tapSwiped: [ERROR | 0x44, 'swiped', 'a card was swiped instead'],
  tapInsertOrSwipe: [ERROR | 0xc1, 'insert-or-swipe', 'insert or swipe'],
  tapOtherCard: [ERROR | 0xc2, 'other-card', 'insert, swipe or use another card'],
  tapInsert: [ERROR | 0xc3, 'insert-or-swipe', 'insert the card'],
  tapHardware: [ERROR | 0xcf, 'device-error', 'contactless hardware error'],
  noPinKey: [ERROR | 0xe0, 'key-missing', 'no key'],
  damagedCommand: [0x6f00, 'device-error', 'command arrived damaged'],
  unknownCommand: [0x6d00, 'host-error', 'unknown command'],
  wrongLength: [0x6700, 'host-error', 'wrong length'],
});

/** What a status word means; an unpublished one is a fault of the device. */
export const statusOf = specByCode(STATUSES, { meaning: 'unknown status', hint: 'device-error' });
