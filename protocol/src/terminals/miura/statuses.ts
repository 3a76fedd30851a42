import { entryByCode } from '../code-table.js';

/** A status word. */
export interface StatusSpec {
  /** Two bytes: SW1 SW2. */
  readonly sw: number;
  readonly meaning: string;
  readonly hint: StatusHint;
}

/** SW1 of every error of a transaction command. */
const ERROR = 0x9f00;

/** The status words (SW2 of a transaction command behind SW1 9F). */
export const STATUSES = {
  ok: { sw: 0x9000, meaning: 'done', hint: 'ok' },
  invalidParameter: { sw: ERROR | 0x0f, meaning: 'invalid parameter', hint: 'host-error' },
  invalidData: { sw: ERROR | 0x21, meaning: 'invalid data', hint: 'host-error' },
  notReady: { sw: ERROR | 0x22, meaning: 'terminal not ready', hint: 'wrong-state' },
  noCard: { sw: ERROR | 0x23, meaning: 'no card in the slot', hint: 'no-card' },
  cardErrorNoSwipe: { sw: ERROR | 0x25, meaning: 'card error, no swipe allowed', hint: 'card-error' },
  notAllowed: { sw: ERROR | 0x26, meaning: 'command not allowed now', hint: 'wrong-state' },
  dataMissing: { sw: ERROR | 0x27, meaning: 'data missing', hint: 'host-error' },
  unsupportedCard: { sw: ERROR | 0x28, meaning: 'card not supported, swipe allowed', hint: 'swipe-allowed' },
  readError: { sw: ERROR | 0x30, meaning: 'card could not be read, swipe allowed', hint: 'swipe-allowed' },
  invalidIssuer: { sw: ERROR | 0x40, meaning: 'invalid issuer key', hint: 'card-error' },
  cancelled: { sw: ERROR | 0x41, meaning: 'cancelled or aborted', hint: 'cancelled' },
  tapTimeout: { sw: ERROR | 0x42, meaning: 'no card was tapped in time', hint: 'timed-out' },
  tapInserted: { sw: ERROR | 0x43, meaning: 'a card was inserted instead', hint: 'inserted' },
  tapSwiped: { sw: ERROR | 0x44, meaning: 'a card was swiped instead', hint: 'swiped' },
  tapInsertOrSwipe: { sw: ERROR | 0xc1, meaning: 'insert or swipe', hint: 'insert-or-swipe' },
  tapOtherCard: { sw: ERROR | 0xc2, meaning: 'insert, swipe or use another card', hint: 'other-card' },
  tapInsert: { sw: ERROR | 0xc3, meaning: 'insert the card', hint: 'insert-or-swipe' },
  tapHardware: { sw: ERROR | 0xcf, meaning: 'contactless hardware error', hint: 'device-error' },
  noPinKey: { sw: ERROR | 0xe0, meaning: 'no key', hint: 'key-missing' },
  damagedCommand: { sw: 0x6f00, meaning: 'command arrived damaged', hint: 'device-error' },
  unknownCommand: { sw: 0x6d00, meaning: 'unknown command', hint: 'host-error' },
  wrongLength: { sw: 0x6700, meaning: 'wrong length', hint: 'host-error' },
} as const;

/** Name of a status word. */
export type StatusName = keyof typeof STATUSES;

/** What follows from a status word, for the driver. */
export type StatusHint = (typeof STATUSES)[StatusName]['hint'];

const find = entryByCode<StatusSpec>(STATUSES, ({ sw }) => sw);

/** What a status word means; one that nobody published is a fault of the device. */
export function statusOf(sw: number): StatusSpec {
  return find(sw) ?? { sw, meaning: 'unknown status', hint: 'device-error' };
}
