import { type BitTable, bit } from './bits.js';

/** Bytes of the application interchange profile, tag 82. */
export const AIP_BYTES = 2;

/** Application interchange profile (EMV Book 3 Annex C1). */
export const AIP = {
  xda: bit(1, 8, 'XDA supported'),
  sda: bit(1, 7, 'SDA supported'),
  dda: bit(1, 6, 'DDA supported'),
  cardholderVerification: bit(1, 5, 'Cardholder verification is supported'),
  terminalRiskManagement: bit(1, 4, 'Terminal risk management is to be performed'),
  issuerAuthentication: bit(1, 3, 'Issuer authentication is supported'),
  onDeviceCardholderVerification: bit(1, 2, 'On-device cardholder verification is supported'),
  cda: bit(1, 1, 'CDA supported'),
  emvMode: bit(2, 8, 'EMV mode is supported (contactless)'),
  mobilePhone: bit(2, 7, 'Mobile phone (contactless)'),
  contactless: bit(2, 6, 'Contactless transaction'),
  relayResistance: bit(2, 1, 'Relay resistance protocol is supported'),
} as const satisfies BitTable;
