import { codeTable, type HintOf, nameByCode, specByCode } from '../code-table.js';

/** Codes behind the type of an answer. */
export const RESPONSE_CODES = {
  ok: '00',
  /** Of the answer to a PIN entry. */
  pinCancelled: '04',
  /**
   * Any other code is a refusal to the published host, which does not distinguish them (from public sources incomplete). This
   * one stands for them where the simulator refuses.
   */
  refused: '01',
} as const;

/** Where a transaction stands (first byte of the answers to functions 31 and 32). */
export const RESULTS = {
  ok: 0,
  terminated: 1,
  tryAnother: 2,
  declined: 3,
  approved: 4,
  online: 5,
} as const;

/** A result's name. */
export type ResultName = keyof typeof RESULTS;

/** The result of a number; undefined for one that is not published. */
export const resultName = nameByCode(RESULTS, (code: number) => code);

/** Errors of the L3 module (`emvl3.h`). */
export const ERRORS = codeTable({
  none: [0, 'ok', 'no error'],
  fail: [-501, 'failed', 'failed'],
  cancel: [-502, 'cancelled', 'cancelled'],
  timeout: [-503, 'timed-out', 'nothing came in time'],
  format: [-504, 'host-error', 'wrong format'],
  overflow: [-505, 'host-error', 'too many bytes'],
  param: [-506, 'host-error', 'wrong parameter'],
  tagAbsent: [-507, 'host-error', 'a data object is missing'],
  bypass: [-508, 'failed', 'PIN entry skipped'],
  onlineFail: [-509, 'failed', 'online authorisation failed'],
  onlineUnable: [-510, 'failed', 'unable to go online'],
  unableForceDecline: [-511, 'failed', 'unable to go online, declined'],
  activate: [-512, 'card-error', 'the card could not be activated'],
  collision: [-513, 'other-card', 'several cards in the field'],
  kernel: [-514, 'card-error', 'error of the kernel'],
  swipeChip: [-515, 'card-error', 'the magstripe of a chip card'],
  removed: [-516, 'card-removed', 'the card was taken away'],
  fallback: [-517, 'card-error', 'the chip could not be read'],
  tryAgain: [-518, 'other-card', 'try again'],
  noApplication: [-520, 'no-application', 'no application in common'],
  manual: [-523, 'manual', 'the card number was keyed in'],
  seePhone: [-524, 'other-card', 'see the phone'],
  contactlessFallback: [-525, 'other-card', 'the tap could not be read'],
  /** Host's answer to the callback for a PIN: the pad must request none. */
  skipPin: [-610, 'failed', 'no PIN'],
});

/** An error's name in {@link ERRORS}. */
export type ErrorName = keyof typeof ERRORS;

/** What follows from an error of the L3 module, for the driver. */
export type ErrorHint = HintOf<typeof ERRORS>;

/** What is known of an error; one that is not published is a failure. */
export const errorOf = specByCode(ERRORS, { meaning: 'unpublished error', hint: 'failed' });
