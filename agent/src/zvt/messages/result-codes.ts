/** Result codes that the agent gives (PA00P015, "Error-Messages"). Those below 64 are of the authorization system. */
export const RESULT = {
  ok: 0x00,
  declined: 0x05,
  processingError: 0x66,
  notRegistered: 0x6b,
  aborted: 0x6c,
  wrongCurrency: 0x6f,
  notPossible: 0x83,
  protocolError: 0x9a,
  noAnswer: 0x9b,
  wait: 0x9c,
  busy: 0xa0,
  noConnection: 0xa3,
  cardDataNotTaken: 0xa5,
  alreadyReversed: 0xb4,
  reversalNotPossible: 0xb5,
  reservationAmountWrong: 0xb7,
  reservationNotOpen: 0xb8,
  amountTooHigh: 0xc3,
  amountTooSmall: 0xc8,
  deviceMissing: 0xfc,
  systemError: 0xff,
} as const;

/** One of {@link RESULT}. */
export type ResultCode = (typeof RESULT)[keyof typeof RESULT];

/** States of a terminal that the agent gives (PA00P015, "Terminal Status Codes"). */
export const TERMINAL_STATUS = { ready: 0x00, wait: 0x9c, outOfOrder: 0xdf } as const;

/** Intermediate states that the agent gives (PA00P015, "Intermediate Status Information"). */
export const INTERMEDIATE = {
  watchPinPad: 0x01,
  waitingForHost: 0x04,
  insertCard: 0x0a,
  removeCard: 0x0b,
  pleaseWait: 0x0e,
} as const;
