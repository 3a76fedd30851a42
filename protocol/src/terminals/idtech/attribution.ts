/** How a card's data came in. */
export type CapturedFrom = 'contact' | 'tap' | 'tap-magstripe' | 'magstripe';

/** The byte ahead of a transaction's objects (NEO 2 guide, 02-40 and 03-40 response data). */
export interface Attribution {
  readonly captured: CapturedFrom;
  readonly cipher: 'tdes' | 'aes';
  /** Magstripe data and chip data are enciphered. */
  readonly magstripeEncrypted: boolean;
  readonly chipEncrypted: boolean;
}

const CONTACTLESS = 0x01;
const AES = 0x02;
const MAGSTRIPE = 0x08;
const CONTACTLESS_MAGSTRIPE = 0x10;
const CHIP_ENCRYPTED = 0x40;
const MAGSTRIPE_ENCRYPTED = 0x80;

const CAPTURED: Readonly<Record<CapturedFrom, number>> = {
  contact: 0,
  tap: CONTACTLESS,
  'tap-magstripe': CONTACTLESS | CONTACTLESS_MAGSTRIPE,
  magstripe: MAGSTRIPE,
};

/** Writes the byte. */
export function encodeAttribution(attribution: Attribution): number {
  return (
    CAPTURED[attribution.captured] |
    (attribution.cipher === 'aes' ? AES : 0) |
    (attribution.chipEncrypted ? CHIP_ENCRYPTED : 0) |
    (attribution.magstripeEncrypted ? MAGSTRIPE_ENCRYPTED : 0)
  );
}

/** Reads the byte; reserved bits mean nothing. */
export function decodeAttribution(byte: number): Attribution {
  return {
    captured: captured(byte),
    cipher: (byte & AES) !== 0 ? 'aes' : 'tdes',
    magstripeEncrypted: (byte & MAGSTRIPE_ENCRYPTED) !== 0,
    chipEncrypted: (byte & CHIP_ENCRYPTED) !== 0,
  };
}

function captured(byte: number): CapturedFrom {
  if ((byte & MAGSTRIPE) !== 0) return 'magstripe';
  if ((byte & CONTACTLESS) === 0) return 'contact';
  return (byte & CONTACTLESS_MAGSTRIPE) !== 0 ? 'tap-magstripe' : 'tap';
}
