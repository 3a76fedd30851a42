import { type HintOf, nameByCode, specByCode } from '../code-table.js';

/** Codes behind the type of an answer. */
export const RESPONSE_CODES = {
  ok: '00',
  /** Of the answer to a PIN entry. */
  pinCancelled: '04',
  /**
   * Any other code is a refusal to the published host, which tells no two of them apart (from public sources incomplete). This
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
export const ERRORS = {
  none: { code: 0, meaning: 'no error', hint: 'ok' },
  fail: { code: -501, meaning: 'failed', hint: 'failed' },
  cancel: { code: -502, meaning: 'cancelled', hint: 'cancelled' },
  timeout: { code: -503, meaning: 'nothing came in time', hint: 'timed-out' },
  format: { code: -504, meaning: 'wrong format', hint: 'host-error' },
  overflow: { code: -505, meaning: 'too many bytes', hint: 'host-error' },
  param: { code: -506, meaning: 'wrong parameter', hint: 'host-error' },
  tagAbsent: { code: -507, meaning: 'a data object is missing', hint: 'host-error' },
  bypass: { code: -508, meaning: 'PIN entry skipped', hint: 'failed' },
  onlineFail: { code: -509, meaning: 'online authorisation failed', hint: 'failed' },
  onlineUnable: { code: -510, meaning: 'unable to go online', hint: 'failed' },
  unableForceDecline: { code: -511, meaning: 'unable to go online, declined', hint: 'failed' },
  activate: { code: -512, meaning: 'the card could not be activated', hint: 'card-error' },
  collision: { code: -513, meaning: 'several cards in the field', hint: 'other-card' },
  kernel: { code: -514, meaning: 'error of the kernel', hint: 'card-error' },
  swipeChip: { code: -515, meaning: 'the magstripe of a chip card', hint: 'card-error' },
  removed: { code: -516, meaning: 'the card was taken away', hint: 'card-removed' },
  fallback: { code: -517, meaning: 'the chip could not be read', hint: 'card-error' },
  tryAgain: { code: -518, meaning: 'try again', hint: 'other-card' },
  noApplication: { code: -520, meaning: 'no application in common', hint: 'no-application' },
  manual: { code: -523, meaning: 'the card number was keyed in', hint: 'manual' },
  seePhone: { code: -524, meaning: 'see the phone', hint: 'other-card' },
  contactlessFallback: { code: -525, meaning: 'the tap could not be read', hint: 'other-card' },
  /** Host's answer to the callback for a PIN: none is to be asked for. */
  skipPin: { code: -610, meaning: 'no PIN', hint: 'failed' },
} as const;

/** An error's name in {@link ERRORS}. */
export type ErrorName = keyof typeof ERRORS;

/** What follows from an error of the L3 module, for the driver. */
export type ErrorHint = HintOf<typeof ERRORS>;

/** What is known of an error; one that is not published is a failure. */
export const errorOf = specByCode(ERRORS, { meaning: 'unpublished error', hint: 'failed' });
