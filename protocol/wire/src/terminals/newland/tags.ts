/** Newland's own data objects around transactions, and the configuration objects that a sale may change. */
export const TAGS = {
  /** Ways in which a card may be given, as {@link CARD_WAYS}. */
  cardWays: '1F8121',
  /** 01: the transaction must go online. */
  forceOnline: '1F8126',
  /** Lights and tones. */
  indicators: '1F8129',
  /** Lengths that a PIN may have; 00 among them: it may be skipped. */
  pinLengths: '1F8135',
  /** As {@link KEY_SYSTEMS}. */
  pinKeySystem: '1F8136',
  pinKeySlot: '1F8137',
  /** Seconds. */
  pinTimeout: '1F8138',
  /** The callbacks that the host wants, as {@link CALLBACK_FLAGS}, and two bytes of further settings. */
  callbacks: '1F8139',
  /** 01: the holder signs. */
  signature: '1F8154',
  /** Eight bytes; zeros where no PIN was entered. */
  pinBlock: '1F8155',
  /** Random selection for online: minor units, four bytes. */
  randomThreshold: 'DF15',
  /** Percent, one byte of two digits. */
  randomMaxPercent: 'DF16',
  randomTargetPercent: 'DF17',
} as const;

/** Ways to give a card, as bits. */
export const CARD_WAYS = { magstripe: 0x01, contact: 0x02, contactless: 0x04, manual: 0x08 } as const;

/** First byte of {@link TAGS.callbacks}. */
export const CALLBACK_FLAGS = {
  notification: 0x80,
  selectCandidate: 0x40,
  checkCredentials: 0x20,
  afterFinalSelect: 0x10,
  getPin: 0x08,
  confirmCardNumber: 0x04,
} as const;

/** Which keys a PIN is enciphered under. */
export const KEY_SYSTEMS = { masterSession: 0, dukpt: 1, aes: 2 } as const;

/** POS entry modes (tag 9F39) of the L3 module. */
export const ENTRY_MODES = {
  manual: 0x01,
  magstripe: 0x02,
  chip: 0x05,
  contactless: 0x07,
  fallback: 0x80,
} as const;
