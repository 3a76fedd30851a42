import { type BitTable, bit, bitNames, bitTable } from './bits.js';

/** Terminal capabilities, tag 9F33 (EMV Book 4 Annex A2). */
export const TERMINAL_CAPABILITIES_TABLE: BitTable = bitTable([
  [1, 8, 'Manual key entry'],
  [1, 7, 'Magnetic magstripe'],
  [1, 6, 'IC with contacts'],
  [2, 8, 'Plaintext PIN for ICC verification'],
  [2, 7, 'Enciphered PIN for online verification'],
  [2, 6, 'Signature'],
  [2, 5, 'Enciphered PIN for offline verification (RSA)'],
  [2, 4, 'No CVM required'],
  [2, 3, 'Online biometric'],
  [2, 2, 'Offline biometric'],
  [2, 1, 'Enciphered PIN for offline verification (ECC)'],
  [3, 8, 'SDA'],
  [3, 7, 'DDA'],
  [3, 6, 'Card capture'],
  [3, 4, 'CDA'],
  [3, 3, 'XDA'],
]);

/** The bits by name. */
export const TERMINAL_CAPABILITIES = {
  manualKeyEntry: bit(1, 8),
  magneticMagstripe: bit(1, 7),
  icWithContacts: bit(1, 6),
  plaintextPin: bit(2, 8),
  onlinePin: bit(2, 7),
  signature: bit(2, 6),
  encipheredOfflinePin: bit(2, 5),
  noCvm: bit(2, 4),
  sda: bit(3, 8),
  dda: bit(3, 7),
  cardCapture: bit(3, 6),
  cda: bit(3, 4),
} as const;

/** Additional terminal capabilities, tag 9F40 (EMV Book 4 Annex A3). */
export const ADDITIONAL_TERMINAL_CAPABILITIES_TABLE: BitTable = bitTable([
  [1, 8, 'Cash'],
  [1, 7, 'Goods'],
  [1, 6, 'Services'],
  [1, 5, 'Cashback'],
  [1, 4, 'Inquiry'],
  [1, 3, 'Transfer'],
  [1, 2, 'Payment'],
  [1, 1, 'Administrative'],
  [2, 8, 'Cash deposit'],
  [3, 8, 'Numeric keys'],
  [3, 7, 'Alphabetic and special character keys'],
  [3, 6, 'Command keys'],
  [3, 5, 'Function keys'],
  [4, 8, 'Print, attendant'],
  [4, 7, 'Print, cardholder'],
  [4, 6, 'Display, attendant'],
  [4, 5, 'Display, cardholder'],
  [4, 2, 'Code table 10'],
  [4, 1, 'Code table 9'],
  [5, 8, 'Code table 8'],
  [5, 7, 'Code table 7'],
  [5, 6, 'Code table 6'],
  [5, 5, 'Code table 5'],
  [5, 4, 'Code table 4'],
  [5, 3, 'Code table 3'],
  [5, 2, 'Code table 2'],
  [5, 1, 'Code table 1'],
]);

/** Names of the set bits of tag 9F33. */
export function terminalCapabilityNames(capabilities: Uint8Array): string[] {
  return bitNames(capabilities, TERMINAL_CAPABILITIES_TABLE);
}

/** Names of the set bits of tag 9F40. */
export function additionalTerminalCapabilityNames(capabilities: Uint8Array): string[] {
  return bitNames(capabilities, ADDITIONAL_TERMINAL_CAPABILITIES_TABLE);
}

/** Terminal types, tag 9F35 (EMV Book 4 Annex A1): operated by, reach, attendance. */
export const TERMINAL_TYPES: Readonly<Record<string, string>> = {
  '11': 'Financial institution, attended, online only',
  '12': 'Financial institution, attended, offline with online capability',
  '13': 'Financial institution, attended, offline only',
  '14': 'Financial institution, unattended, online only',
  '15': 'Financial institution, unattended, offline with online capability',
  '16': 'Financial institution, unattended, offline only',
  '21': 'Merchant, attended, online only',
  '22': 'Merchant, attended, offline with online capability',
  '23': 'Merchant, attended, offline only',
  '24': 'Merchant, unattended, online only',
  '25': 'Merchant, unattended, offline with online capability',
  '26': 'Merchant, unattended, offline only',
  '34': 'Cardholder, unattended, online only',
  '35': 'Cardholder, unattended, offline with online capability',
  '36': 'Cardholder, unattended, offline only',
};
