/** The maker's own tags in a sale (NEO 2 guide; ID TECH TLV tag reference). */
export const TAGS = {
  /** KSN of the account data key. */
  dataKsn: 'DFEE12',
  /** Objects that an answer shall hold. */
  outputTags: 'DFEE1A',
  /** What of a PAN is shown: leading digits, trailing digits, mask character, mask digit, `1` to show the expiry. */
  masking: 'DFEE1D',
  /** Magstripe data in the enhanced encrypted format. */
  magstripeData: 'DFEE23',
  /** How a step ended, two bytes. */
  result: 'DFEE25',
  /** The attribution byte and its extension. */
  attribution: 'DFEE26',
  /** KSN of the PIN key; the PIN block is tag 99. */
  pinKsn: 'DFEE51',
  /** Whether a first answer (status 63) is sent. */
  firstAnswer: 'DFED59',
  /** Interfaces that 02-40 opens: {@link INTERFACES}. */
  interfaces: 'DFEF37',
  /** Fallback to the magstripe (01), and seconds that the device waits for the next command. */
  fallback: 'DFEF3C',
  /** Why a tap failed: error, SW1, SW2, state. */
  tapError: 'FFEE1F',
  /** What a tap wants of its holder: {@link TAP_CVM}. */
  tapVerification: 'DF52',
} as const;

/**
 * Templates of an answer: data record and discretionary data of a Mastercard tap, and the maker's own group. Other tags with the bit of a
 * constructed object, such as FFEE1F, hold a plain value.
 */
export const TEMPLATES = { dataRecord: 'FF8105', discretionaryData: 'FF8106', ownObjects: 'FFEE01' } as const;

/** Bits of DFEF37. */
export const INTERFACES = { magstripe: 0x01, contactless: 0x02, contact: 0x04 } as const;

/** Values of DF52. */
export const TAP_CVM = { none: 0x00, signature: 0x01, onlinePin: 0x02, consumerDevice: 0x03 } as const;

/** Transaction PIN data (EMV Book 3 Annex A): the enciphered PIN block. */
export const PIN_BLOCK_TAG = '99';

/** POS entry mode, tag 9F39. */
export const ENTRY_MODES = {
  chip: 0x05,
  tap: 0x07,
  fallback: 0x80,
  magstripe: 0x90,
  tapMagstripe: 0x91,
} as const;
