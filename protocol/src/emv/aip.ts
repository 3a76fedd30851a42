import { type BitTable, bit, bitNames, bitTable } from './bits.js';

/** Bytes of the application interchange profile, tag 82. */
export const AIP_BYTES = 2;

/** Application interchange profile (EMV Book 3 Annex C1). */
export const AIP_TABLE: BitTable = bitTable([
  [1, 8, 'XDA supported'],
  [1, 7, 'SDA supported'],
  [1, 6, 'DDA supported'],
  [1, 5, 'Cardholder verification is supported'],
  [1, 4, 'Terminal risk management is to be performed'],
  [1, 3, 'Issuer authentication is supported'],
  [1, 2, 'On-device cardholder verification is supported'],
  [1, 1, 'CDA supported'],
  [2, 8, 'EMV mode is supported (contactless)'],
  [2, 7, 'Mobile phone (contactless)'],
  [2, 6, 'Contactless transaction'],
  [2, 1, 'Relay resistance protocol is supported'],
]);

/** The bits by name. */
export const AIP = {
  sda: bit(1, 7),
  dda: bit(1, 6),
  cardholderVerification: bit(1, 5),
  terminalRiskManagement: bit(1, 4),
  issuerAuthentication: bit(1, 3),
  onDeviceCardholderVerification: bit(1, 2),
  cda: bit(1, 1),
  emvMode: bit(2, 8),
} as const;

/** Names of the set bits. */
export function aipNames(aip: Uint8Array): string[] {
  return bitNames(aip, AIP_TABLE);
}
