import { codeTable, type HintOf, nameByCode, specByCode } from '../code-table.js';

/** Success. */
export const ST_OK = 0;

/** Statuses that a device may answer (ABECS 2.12 §3.1.1). */
export const STATUSES = codeTable({
  ST_OK: [0, 'ok', 'done'],
  ST_NOSEC: [3, 'host-error', 'secure channel used before it was opened'],
  ST_F1: [4, 'key-pressed', 'function key 1 pressed'],
  ST_F2: [5, 'key-pressed', 'function key 2 pressed'],
  ST_F3: [6, 'key-pressed', 'function key 3 pressed'],
  ST_F4: [7, 'key-pressed', 'function key 4 pressed'],
  ST_BACKSP: [8, 'key-pressed', 'clear key pressed'],
  ST_ERRPKTSEC: [9, 'host-error', 'secure channel data unreadable, or clear data inside it'],
  ST_INVCALL: [10, 'host-error', 'command unknown or out of order'],
  ST_INVPARM: [11, 'host-error', 'a parameter is invalid'],
  ST_TIMEOUT: [12, 'timed-out', 'no action in time'],
  ST_CANCEL: [13, 'cancelled', 'cancelled by the cardholder'],
  ST_MANDAT: [19, 'host-error', 'a mandatory parameter is missing'],
  ST_TABVERDIF: [20, 'tables-differ', 'EMV tables have another version'],
  ST_TABERR: [21, 'device-error', 'EMV tables could not be stored'],
  ST_INTERR: [40, 'device-error', 'internal error of the device'],
  ST_MCDATAERR: [41, 'card-error', 'magnetic stripe unreadable'],
  ST_ERRKEY: [42, 'key-missing', 'the key is not in the device'],
  ST_NOCARD: [43, 'no-card', 'no card in the slot or in the field'],
  ST_PINBUSY: [44, 'busy', 'PIN entry is blocked for a while'],
  ST_RSPOVRFL: [45, 'data-too-long', 'the answer is longer than a packet'],
  ST_ERRCRYPT: [46, 'device-error', 'cryptographic check failed'],
  ST_NOSAM: [51, 'device-error', 'SAM absent or mute'],
  ST_DUMBCARD: [60, 'fallback', 'chip absent or mute'],
  ST_ERRCARD: [61, 'fallback', 'communication with the chip failed'],
  ST_CARDINVALIDAT: [67, 'card-blocked', 'the card application is invalidated'],
  ST_CARDPROBLEMS: [68, 'card-error', 'the chip misbehaves'],
  ST_CARDINVDATA: [69, 'card-error', 'the chip holds invalid data'],
  ST_CARDAPPNAV: [70, 'application-not-supported', 'no application of the chip is supported'],
  ST_CARDAPPNAUT: [71, 'application-not-supported', 'the application may not be used here'],
  ST_ERRFALLBACK: [76, 'fallback', 'chip error that allows the magnetic stripe'],
  ST_INVAMOUNT: [77, 'host-error', 'the amount cannot be given to the card'],
  ST_ERRMAXAID: [78, 'host-error', 'more candidate applications than the kernel takes'],
  ST_CARDBLOCKED: [79, 'card-blocked', 'the card is blocked'],
  ST_CTLSMULTIPLE: [80, 'tap-again', 'more than one card tapped'],
  ST_CTLSCOMMERR: [81, 'tap-again', 'communication with the tapped card failed'],
  ST_CTLSINVALIDAT: [82, 'tap-refused', 'the tapped card is invalidated'],
  ST_CTLSPROBLEMS: [83, 'tap-refused', 'the tapped card misbehaves'],
  ST_CTLSAPPNAV: [84, 'tap-refused', 'no application of the tapped card is supported'],
  ST_CTLSAPPNAUT: [85, 'tap-refused', 'the tapped application may not be used here'],
  ST_CTLSEXTCVM: [86, 'tap-after-phone', 'cardholder must confirm on the phone, then tap again'],
  ST_CTLSIFCHG: [87, 'tap-refused', 'insert or swipe instead of tapping'],
  ST_MFNFOUND: [100, 'host-error', 'media file not found'],
  ST_MFERRFMT: [101, 'host-error', 'media file format is wrong'],
  ST_MFERR: [102, 'host-error', 'media file could not be loaded'],
});

/** Name of a status, such as `ST_TIMEOUT`. */
export type StatusName = keyof typeof STATUSES;

/** What a status means for the driver. */
export type StatusHint = HintOf<typeof STATUSES>;

const nameOf = nameByCode(STATUSES, ({ code }) => code);
const specOf = specByCode(STATUSES, { meaning: 'status outside ABECS 2.12', hint: 'device-error' });

/** Name and meaning of a code; an unknown one counts as a fault of the device. */
export function statusOf(code: number) {
  return { name: nameOf(code) ?? `ST_${code}`, ...specOf(code) };
}

/** Code of a named status. */
export function statusCode(name: StatusName): number {
  return STATUSES[name].code;
}
