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

const CAPTURED: Readonly<Record<CapturedFrom, number>> = {
  contact: 0x00,
  tap: 0x01,
  'tap-magstripe': 0x11,
  magstripe: 0x08,
};
const FLAGS = { aes: 0x02, chipEncrypted: 0x40, magstripeEncrypted: 0x80 } as const;

/** Writes the byte. */
export function encodeAttribution(attribution: Attribution): number {
  return (
    CAPTURED[attribution.captured] |
    (attribution.cipher === 'aes' ? FLAGS.aes : 0) |
    (attribution.chipEncrypted ? FLAGS.chipEncrypted : 0) |
    (attribution.magstripeEncrypted ? FLAGS.magstripeEncrypted : 0)
  );
}

/** Reads the byte; reserved bits mean nothing. */
export function decodeAttribution(byte: number): Attribution {
  return {
    captured: captured(byte),
    cipher: (byte & FLAGS.aes) !== 0 ? 'aes' : 'tdes',
    magstripeEncrypted: (byte & FLAGS.magstripeEncrypted) !== 0,
    chipEncrypted: (byte & FLAGS.chipEncrypted) !== 0,
  };
}

function captured(byte: number): CapturedFrom {
  if ((byte & CAPTURED.magstripe) !== 0) return 'magstripe';
  if ((byte & CAPTURED.tap) === 0) return 'contact';
  return (byte & CAPTURED['tap-magstripe']) === CAPTURED['tap-magstripe'] ? 'tap-magstripe' : 'tap';
}
