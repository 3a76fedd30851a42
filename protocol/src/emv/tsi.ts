import { type BitTable, bit, bitNames, bitTable } from './bits.js';

/** Bytes of the transaction status information, tag 9B. */
export const TSI_BYTES = 2;

/** Transaction status information (EMV Book 3 Annex C6). */
export const TSI_TABLE: BitTable = bitTable([
  [1, 8, 'Offline data authentication was performed'],
  [1, 7, 'Cardholder verification was performed'],
  [1, 6, 'Card risk management was performed'],
  [1, 5, 'Issuer authentication was performed'],
  [1, 4, 'Terminal risk management was performed'],
  [1, 3, 'Script processing was performed'],
]);

/** The bits by name. */
export const TSI = {
  offlineDataAuthenticationPerformed: bit(1, 8),
  cardholderVerificationPerformed: bit(1, 7),
  cardRiskManagementPerformed: bit(1, 6),
  issuerAuthenticationPerformed: bit(1, 5),
  terminalRiskManagementPerformed: bit(1, 4),
  scriptProcessingPerformed: bit(1, 3),
} as const;

/** Names of the set bits. */
export function tsiNames(tsi: Uint8Array): string[] {
  return bitNames(tsi, TSI_TABLE);
}
