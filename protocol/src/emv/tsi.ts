import { type BitTable, bit, bitNames } from './bits.js';

/** Bytes of the transaction status information, tag 9B. */
export const TSI_BYTES = 2;

/** Transaction status information (EMV Book 3 Annex C6). */
export const TSI = {
  offlineDataAuthenticationPerformed: bit(1, 8, 'Offline data authentication was performed'),
  cardholderVerificationPerformed: bit(1, 7, 'Cardholder verification was performed'),
  cardRiskManagementPerformed: bit(1, 6, 'Card risk management was performed'),
  issuerAuthenticationPerformed: bit(1, 5, 'Issuer authentication was performed'),
  terminalRiskManagementPerformed: bit(1, 4, 'Terminal risk management was performed'),
  scriptProcessingPerformed: bit(1, 3, 'Script processing was performed'),
} as const satisfies BitTable;

/** Names of the set bits. */
export function tsiNames(tsi: Uint8Array): string[] {
  return bitNames(tsi, TSI);
}
