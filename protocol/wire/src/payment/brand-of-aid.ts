/** Beginnings of application identifiers (ISO/IEC 7816-5, EMV Book 1 §12.2.1) and the brands behind them; the longest fits. */
const AIDS: readonly (readonly [beginning: string, brand: string])[] = [
  ['A0000000043060', 'MAESTRO'],
  ['A000000003', 'VISA'],
  ['A000000004', 'MASTER'],
  ['A000000025', 'AMEX'],
  ['A000000152', 'DISCOVER'],
  ['A000000065', 'JCB'],
];

/**
 * The brand of a chip card by its application identifier, where the card number is enciphered.
 * @param aidHex uppercase hex of tag 84, 4F or 9F06
 * @returns its key in the API; undefined for an application of a scheme that is not listed
 */
export function brandOfAid(aidHex: string): string | undefined {
  return AIDS.find(([beginning]) => aidHex.startsWith(beginning))?.[1];
}
