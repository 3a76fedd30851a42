import { type HintOf, specByCode } from '../code-table.js';

/** SW1 of EMV codes: SW2 is the code of the EMV kernel (ADK return codes). */
const EMV = 0x9000;

/** The status words of a sale (SDI guide, status word coding; EMV ADK return codes). */
export const STATUSES = {
  ok: { code: 0x9000, meaning: 'done', hint: 'ok' },
  tagError: { code: 0x6200, meaning: 'tag missing or wrong', hint: 'host-error' },
  tagLength: { code: 0x6300, meaning: 'wrong length of a tag', hint: 'host-error' },
  execution: { code: 0x6400, meaning: 'execution error', hint: 'device-error' },
  cancelledByUser: { code: 0x6405, meaning: 'cancelled by the cardholder', hint: 'cancelled' },
  busy: { code: 0x640a, meaning: 'busy', hint: 'busy' },
  pinTimeout: { code: 0x640c, meaning: 'no PIN in time', hint: 'timed-out' },
  digitTimeout: { code: 0x64f8, meaning: 'PIN digits too slow', hint: 'timed-out' },
  notAllowed: { code: 0x64f9, meaning: 'command not allowed', hint: 'wrong-state' },
  otherClient: { code: 0x64fa, meaning: 'another client holds the main connection', hint: 'busy' },
  logic: { code: 0x64fd, meaning: 'wrong command order', hint: 'wrong-state' },
  parameter: { code: 0x64fe, meaning: 'parameter error', hint: 'host-error' },
  luhn: { code: 0x64ff, meaning: 'check digit of the PAN wrong', hint: 'card-error' },
  aborted: { code: 0x6500, meaning: 'aborted', hint: 'aborted' },
  timeout: { code: 0x6600, meaning: 'timeout', hint: 'timed-out' },
  messageLength: { code: 0x6700, meaning: 'wrong message length', hint: 'host-error' },
  unknownInstruction: { code: 0x6d00, meaning: 'unknown instruction', hint: 'host-error' },
  unknownClass: { code: 0x6e00, meaning: 'unknown class', hint: 'host-error' },
  encryption: { code: 0x6fb4, meaning: 'encryption error', hint: 'encryption-failed' },
  tooManyPins: { code: 0x6fc0, meaning: 'too many PIN requests', hint: 'device-error' },
  lowBattery: { code: 0x6fd0, meaning: 'low battery', hint: 'device-error' },
  noKeys: { code: 0x6fe0, meaning: 'no DUKPT keys', hint: 'key-missing' },
  tampered: { code: 0x6ff0, meaning: 'unit tampered', hint: 'tampered' },
  pinBypassed: { code: 0x9070, meaning: 'PIN bypassed', hint: 'bypassed' },
  cardRemoved: { code: 0x9401, meaning: 'card removed', hint: 'card-removed' },
  cardErrorTerminal: { code: 0x9402, meaning: 'chip error caused by the terminal', hint: 'swipe-allowed' },
  cardErrorChip: { code: 0x9403, meaning: 'chip error caused by the chip', hint: 'swipe-allowed' },
  emvTimeout: { code: EMV | 0xc8, meaning: 'EMV: timeout', hint: 'timed-out' },
  emvCancelled: { code: EMV | 0xcd, meaning: 'EMV: cancelled by a break', hint: 'aborted' },
  emvChipOnly: { code: EMV | 0xd7, meaning: 'EMV: chip by contacts alone', hint: 'other-interface' },
  emvNoContactless: { code: EMV | 0xda, meaning: 'EMV: no contactless reader', hint: 'no-contactless' },
  emvCeiling: { code: EMV | 0xdc, meaning: 'EMV: above the contactless limit', hint: 'no-contactless' },
  emvRetap: { code: EMV | 0xdd, meaning: 'EMV: tap the same card again', hint: 'tap-again' },
  emvNoCard: { code: EMV | 0xdf, meaning: 'EMV: no card yet', hint: 'no-tap' },
  emvNoApplication: { code: EMV | 0xe0, meaning: 'EMV: no application', hint: 'no-contactless' },
  emvBadSequence: { code: EMV | 0xe1, meaning: 'EMV: wrong order', hint: 'wrong-state' },
  emvArqc: { code: EMV | 0xe2, meaning: 'EMV: online', hint: 'online' },
  emvTc: { code: EMV | 0xe3, meaning: 'EMV: approved', hint: 'approved' },
  emvAac: { code: EMV | 0xe4, meaning: 'EMV: declined', hint: 'declined' },
  emvParameter: { code: EMV | 0xe6, meaning: 'EMV: parameter error', hint: 'host-error' },
  emvCardError: { code: EMV | 0xe7, meaning: 'EMV: card error', hint: 'swipe-allowed' },
  emvPinEnded: { code: EMV | 0xe9, meaning: 'EMV: PIN entry ended by its user', hint: 'pin-ended' },
  emvAbort: { code: EMV | 0xea, meaning: 'EMV: transaction ended', hint: 'transaction-ended' },
  emvCardBlocked: { code: EMV | 0xeb, meaning: 'EMV: card blocked', hint: 'card-blocked' },
  emvCardFormat: { code: EMV | 0xec, meaning: 'EMV: wrong data on the card', hint: 'card-error' },
  emvInternal: { code: EMV | 0xed, meaning: 'EMV: internal error, or not initialised', hint: 'wrong-state' },
  emvOnlinePinRetry: { code: EMV | 0xee, meaning: 'EMV: online PIN again', hint: 'device-error' },
  emvApplicationBlocked: { code: EMV | 0xf0, meaning: 'EMV: application blocked', hint: 'card-blocked' },
  emvTlv: { code: EMV | 0xf3, meaning: 'EMV: TLV error', hint: 'host-error' },
  emvFallback: { code: EMV | 0xf4, meaning: 'EMV: fallback', hint: 'swipe-allowed' },
  emvTwoCards: { code: EMV | 0xf9, meaning: 'EMV: two cards in the field', hint: 'tap-again' },
  emvTapAgain: { code: EMV | 0xfa, meaning: 'EMV: tap lost', hint: 'tap-again' },
  emvMobile: { code: EMV | 0xfb, meaning: 'EMV: look at the device and tap again', hint: 'tap-again' },
  emvEmptyList: { code: EMV | 0xfc, meaning: 'EMV: no common application', hint: 'no-application' },
  emvOtherCard: {
    code: EMV | 0xfd,
    meaning: 'EMV: insert, swipe or use another card',
    hint: 'other-interface',
  },
} as const;

/** Name of a status word. */
export type StatusName = keyof typeof STATUSES;

/** What follows from a status word, for the driver. */
export type StatusHint = HintOf<typeof STATUSES>;

/** What a status word means; one that nobody published is a fault of the device. */
export const statusOf = specByCode(STATUSES, { meaning: 'unknown status', hint: 'device-error' });
