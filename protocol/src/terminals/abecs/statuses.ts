/** What a status means for the caller, in one word per way back. */
export type StatusHint =
  | 'ok'
  | 'key-pressed'
  | 'cancelled'
  | 'timed-out'
  | 'host-error'
  | 'tables-differ'
  | 'device-error'
  | 'key-missing'
  | 'busy'
  | 'data-too-long'
  | 'no-card'
  | 'card-error'
  | 'card-blocked'
  | 'application-not-supported'
  | 'fallback'
  | 'tap-again'
  | 'tap-refused'
  | 'tap-after-phone';

/** One status of ABECS 2.12 §3.1.1. */
export interface StatusSpec {
  readonly code: number;
  readonly name: string;
  readonly meaning: string;
  readonly hint: StatusHint;
}

/** Success. */
export const ST_OK = 0;

/** Statuses a device may answer (ABECS 2.12 §3.1.1). */
export const STATUSES = [
  { code: 0, name: 'ST_OK', meaning: 'done', hint: 'ok' },
  { code: 3, name: 'ST_NOSEC', meaning: 'secure channel used before it was opened', hint: 'host-error' },
  { code: 4, name: 'ST_F1', meaning: 'function key 1 pressed', hint: 'key-pressed' },
  { code: 5, name: 'ST_F2', meaning: 'function key 2 pressed', hint: 'key-pressed' },
  { code: 6, name: 'ST_F3', meaning: 'function key 3 pressed', hint: 'key-pressed' },
  { code: 7, name: 'ST_F4', meaning: 'function key 4 pressed', hint: 'key-pressed' },
  { code: 8, name: 'ST_BACKSP', meaning: 'clear key pressed', hint: 'key-pressed' },
  {
    code: 9,
    name: 'ST_ERRPKTSEC',
    meaning: 'secure channel data unreadable, or clear data inside it',
    hint: 'host-error',
  },
  { code: 10, name: 'ST_INVCALL', meaning: 'command unknown or out of order', hint: 'host-error' },
  { code: 11, name: 'ST_INVPARM', meaning: 'a parameter is invalid', hint: 'host-error' },
  { code: 12, name: 'ST_TIMEOUT', meaning: 'nobody acted in time', hint: 'timed-out' },
  { code: 13, name: 'ST_CANCEL', meaning: 'cancelled by the cardholder', hint: 'cancelled' },
  { code: 19, name: 'ST_MANDAT', meaning: 'a mandatory parameter is missing', hint: 'host-error' },
  { code: 20, name: 'ST_TABVERDIF', meaning: 'EMV tables have another version', hint: 'tables-differ' },
  { code: 21, name: 'ST_TABERR', meaning: 'EMV tables could not be stored', hint: 'device-error' },
  { code: 40, name: 'ST_INTERR', meaning: 'internal error of the device', hint: 'device-error' },
  { code: 41, name: 'ST_MCDATAERR', meaning: 'magnetic stripe unreadable', hint: 'card-error' },
  { code: 42, name: 'ST_ERRKEY', meaning: 'the key is not in the device', hint: 'key-missing' },
  { code: 43, name: 'ST_NOCARD', meaning: 'no card in the slot or in the field', hint: 'no-card' },
  { code: 44, name: 'ST_PINBUSY', meaning: 'PIN entry is blocked for a while', hint: 'busy' },
  { code: 45, name: 'ST_RSPOVRFL', meaning: 'the answer is longer than a packet', hint: 'data-too-long' },
  { code: 46, name: 'ST_ERRCRYPT', meaning: 'cryptographic check failed', hint: 'device-error' },
  { code: 51, name: 'ST_NOSAM', meaning: 'SAM absent or mute', hint: 'device-error' },
  { code: 60, name: 'ST_DUMBCARD', meaning: 'chip absent or mute', hint: 'fallback' },
  { code: 61, name: 'ST_ERRCARD', meaning: 'communication with the chip failed', hint: 'fallback' },
  {
    code: 67,
    name: 'ST_CARDINVALIDAT',
    meaning: 'the card application is invalidated',
    hint: 'card-blocked',
  },
  { code: 68, name: 'ST_CARDPROBLEMS', meaning: 'the chip misbehaves', hint: 'card-error' },
  { code: 69, name: 'ST_CARDINVDATA', meaning: 'the chip holds invalid data', hint: 'card-error' },
  {
    code: 70,
    name: 'ST_CARDAPPNAV',
    meaning: 'no application of the chip is supported',
    hint: 'application-not-supported',
  },
  {
    code: 71,
    name: 'ST_CARDAPPNAUT',
    meaning: 'the application may not be used here',
    hint: 'application-not-supported',
  },
  {
    code: 76,
    name: 'ST_ERRFALLBACK',
    meaning: 'chip error that allows the magnetic stripe',
    hint: 'fallback',
  },
  { code: 77, name: 'ST_INVAMOUNT', meaning: 'the amount cannot be given to the card', hint: 'host-error' },
  {
    code: 78,
    name: 'ST_ERRMAXAID',
    meaning: 'more candidate applications than the kernel takes',
    hint: 'host-error',
  },
  { code: 79, name: 'ST_CARDBLOCKED', meaning: 'the card is blocked', hint: 'card-blocked' },
  { code: 80, name: 'ST_CTLSMULTIPLE', meaning: 'more than one card tapped', hint: 'tap-again' },
  {
    code: 81,
    name: 'ST_CTLSCOMMERR',
    meaning: 'communication with the tapped card failed',
    hint: 'tap-again',
  },
  { code: 82, name: 'ST_CTLSINVALIDAT', meaning: 'the tapped card is invalidated', hint: 'tap-refused' },
  { code: 83, name: 'ST_CTLSPROBLEMS', meaning: 'the tapped card misbehaves', hint: 'tap-refused' },
  {
    code: 84,
    name: 'ST_CTLSAPPNAV',
    meaning: 'no application of the tapped card is supported',
    hint: 'tap-refused',
  },
  {
    code: 85,
    name: 'ST_CTLSAPPNAUT',
    meaning: 'the tapped application may not be used here',
    hint: 'tap-refused',
  },
  {
    code: 86,
    name: 'ST_CTLSEXTCVM',
    meaning: 'cardholder must confirm on the phone, then tap again',
    hint: 'tap-after-phone',
  },
  { code: 87, name: 'ST_CTLSIFCHG', meaning: 'insert or swipe instead of tapping', hint: 'tap-refused' },
  { code: 100, name: 'ST_MFNFOUND', meaning: 'media file not found', hint: 'host-error' },
  { code: 101, name: 'ST_MFERRFMT', meaning: 'media file format is wrong', hint: 'host-error' },
  { code: 102, name: 'ST_MFERR', meaning: 'media file could not be loaded', hint: 'host-error' },
] as const satisfies readonly StatusSpec[];

/** Name of a status, such as `ST_TIMEOUT`. */
export type StatusName = (typeof STATUSES)[number]['name'];

const BY_CODE = new Map<number, StatusSpec>(STATUSES.map((spec) => [spec.code, spec]));
const BY_NAME = new Map<string, number>(STATUSES.map((spec) => [spec.name, spec.code]));

/** The status of a code; an unknown one counts as a fault of the device. */
export function statusOf(code: number): StatusSpec {
  return (
    BY_CODE.get(code) ?? {
      code,
      name: `ST_${code}`,
      meaning: 'status outside ABECS 2.12',
      hint: 'device-error',
    }
  );
}

/** Code of a named status. */
export function statusCode(name: StatusName): number {
  const code = BY_NAME.get(name);
  if (code === undefined) throw new RangeError(`unknown ABECS status ${name}`);
  return code;
}
