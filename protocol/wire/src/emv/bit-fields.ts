import { type BitTable, bit, setBit } from './bits.js';

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

/** Bytes of the terminal verification results, tag 95. */
export const TVR_BYTES = 5;

/** Terminal verification results (EMV Book 3 Annex C5). */
export const TVR = {
  offlineDataAuthenticationNotPerformed: bit(1, 8, 'Offline data authentication was not performed'),
  sdaFailed: bit(1, 7, 'SDA failed'),
  iccDataMissing: bit(1, 6, 'ICC data missing'),
  exceptionFile: bit(1, 5, 'Card appears on terminal exception file'),
  ddaFailed: bit(1, 4, 'DDA failed'),
  cdaFailed: bit(1, 3, 'CDA failed'),
  sdaSelected: bit(1, 2, 'SDA selected'),
  xdaSelected: bit(1, 1, 'XDA selected'),
  differentApplicationVersions: bit(2, 8, 'ICC and terminal have different application versions'),
  expiredApplication: bit(2, 7, 'Expired application'),
  applicationNotYetEffective: bit(2, 6, 'Application not yet effective'),
  serviceNotAllowed: bit(2, 5, 'Requested service not allowed for card product'),
  newCard: bit(2, 4, 'New card'),
  biometricSuccessful: bit(2, 2, 'Biometric performed and successful'),
  biometricTemplateNotSupported: bit(2, 1, 'Biometric template format not supported'),
  cardholderVerificationFailed: bit(3, 8, 'Cardholder verification was not successful'),
  unrecognisedCvm: bit(3, 7, 'Unrecognised CVM'),
  pinTryLimitExceeded: bit(3, 6, 'PIN try limit exceeded'),
  pinPadNotWorking: bit(3, 5, 'PIN entry required and PIN pad not present or not working'),
  pinNotEntered: bit(3, 4, 'PIN entry required, PIN pad present, but PIN was not entered'),
  onlinePinEntered: bit(3, 3, 'Online CVM captured'),
  biometricDeviceNotWorking: bit(3, 2, 'Biometric required but capture device not working'),
  biometricSubtypeBypassed: bit(3, 1, 'Biometric required and captured, subtype bypassed'),
  floorLimitExceeded: bit(4, 8, 'Transaction exceeds floor limit'),
  lowerConsecutiveOfflineLimitExceeded: bit(4, 7, 'Lower consecutive offline limit exceeded'),
  upperConsecutiveOfflineLimitExceeded: bit(4, 6, 'Upper consecutive offline limit exceeded'),
  randomlySelectedOnline: bit(4, 5, 'Transaction selected randomly for online processing'),
  merchantForcedOnline: bit(4, 4, 'Merchant forced transaction online'),
  biometricTryLimitExceeded: bit(4, 3, 'Biometric try limit exceeded'),
  biometricTypeNotSupported: bit(4, 2, 'A selected biometric type not supported'),
  xdaFailed: bit(4, 1, 'XDA signature verification failed'),
  defaultTdolUsed: bit(5, 8, 'Default TDOL used'),
  issuerAuthenticationFailed: bit(5, 7, 'Issuer authentication failed'),
  scriptFailedBeforeFinalGenerateAc: bit(5, 6, 'Script processing failed before final GENERATE AC'),
  scriptFailedAfterFinalGenerateAc: bit(5, 5, 'Script processing failed after final GENERATE AC'),
  relayResistanceThresholdExceeded: bit(5, 4, 'Relay resistance threshold exceeded'),
  relayResistanceTimeLimitsExceeded: bit(5, 3, 'Relay resistance time limits exceeded'),
  relayResistancePerformed: bit(5, 2, 'Relay resistance protocol performed'),
  relayResistanceNotSupported: bit(5, 1, 'Relay resistance protocol not supported'),
} as const satisfies BitTable;

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

/** Bytes of the card status update, which ARPC method 2 protects (EMV Book 2 §8.2.2). */
export const CSU_BYTES = 4;

/** Card status update, the issuer's orders behind the ARPC in tag 91 (EMV Book 3 Annex C10). */
export const CSU = {
  proprietaryDataIncluded: bit(1, 8, 'Proprietary authentication data included'),
  issuerApproves: bit(2, 8, 'Issuer approves the online transaction'),
  cardBlock: bit(2, 7, 'Card block'),
  applicationBlock: bit(2, 6, 'Application block'),
  updatePinTryCounter: bit(2, 5, 'Update the PIN try counter'),
  goOnlineNextTime: bit(2, 4, 'Go online on the next transaction'),
  createdByProxy: bit(2, 3, 'CSU created by a proxy for the issuer'),
} as const satisfies BitTable;

/** The card status update of an issuer's decision without further orders: `00800000` approves, `00000000` declines. */
export function decisionCsu(approved: boolean): Buffer {
  const csu = Buffer.alloc(CSU_BYTES);
  if (approved) setBit(csu, CSU.issuerApproves);
  return csu;
}

/** Terminal capabilities, tag 9F33 (EMV Book 4 Annex A2). */
export const TERMINAL_CAPABILITIES = {
  manualKeyEntry: bit(1, 8, 'Manual key entry'),
  magneticMagstripe: bit(1, 7, 'Magnetic magstripe'),
  icWithContacts: bit(1, 6, 'IC with contacts'),
  plaintextPin: bit(2, 8, 'Plaintext PIN for ICC verification'),
  onlinePin: bit(2, 7, 'Enciphered PIN for online verification'),
  signature: bit(2, 6, 'Signature'),
  encipheredOfflinePin: bit(2, 5, 'Enciphered PIN for offline verification (RSA)'),
  noCvm: bit(2, 4, 'No CVM required'),
  onlineBiometric: bit(2, 3, 'Online biometric'),
  offlineBiometric: bit(2, 2, 'Offline biometric'),
  encipheredOfflinePinEcc: bit(2, 1, 'Enciphered PIN for offline verification (ECC)'),
  sda: bit(3, 8, 'SDA'),
  dda: bit(3, 7, 'DDA'),
  cardCapture: bit(3, 6, 'Card capture'),
  cda: bit(3, 4, 'CDA'),
  xda: bit(3, 3, 'XDA'),
} as const satisfies BitTable;

/** Additional terminal capabilities, tag 9F40 (EMV Book 4 Annex A3). */
export const ADDITIONAL_TERMINAL_CAPABILITIES: BitTable = [
  bit(1, 8, 'Cash'),
  bit(1, 7, 'Goods'),
  bit(1, 6, 'Services'),
  bit(1, 5, 'Cashback'),
  bit(1, 4, 'Inquiry'),
  bit(1, 3, 'Transfer'),
  bit(1, 2, 'Payment'),
  bit(1, 1, 'Administrative'),
  bit(2, 8, 'Cash deposit'),
  bit(3, 8, 'Numeric keys'),
  bit(3, 7, 'Alphabetic and special character keys'),
  bit(3, 6, 'Command keys'),
  bit(3, 5, 'Function keys'),
  bit(4, 8, 'Print, attendant'),
  bit(4, 7, 'Print, cardholder'),
  bit(4, 6, 'Display, attendant'),
  bit(4, 5, 'Display, cardholder'),
  bit(4, 2, 'Code table 10'),
  bit(4, 1, 'Code table 9'),
  bit(5, 8, 'Code table 8'),
  bit(5, 7, 'Code table 7'),
  bit(5, 6, 'Code table 6'),
  bit(5, 5, 'Code table 5'),
  bit(5, 4, 'Code table 4'),
  bit(5, 3, 'Code table 3'),
  bit(5, 2, 'Code table 2'),
  bit(5, 1, 'Code table 1'),
];

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

/** Terminal transaction qualifiers, tag 9F66 (EMV Contactless Book A §5.7). */
export const TTQ: BitTable = [
  bit(1, 8, 'Mag-magstripe mode supported'),
  bit(1, 6, 'EMV mode supported'),
  bit(1, 5, 'EMV contact chip supported'),
  bit(1, 4, 'Offline-only reader'),
  bit(1, 3, 'Online PIN supported'),
  bit(1, 2, 'Signature supported'),
  bit(1, 1, 'Offline data authentication for online authorisations supported'),
  bit(2, 8, 'Online cryptogram required'),
  bit(2, 7, 'CVM required'),
  bit(2, 6, '(Contact chip) offline PIN supported'),
  bit(3, 8, 'Issuer update processing supported'),
  bit(3, 7, 'Consumer device CVM supported'),
];

/** Card transaction qualifiers, tag 9F6C (EMV Contactless Book C-3 Annex A). */
export const CTQ: BitTable = [
  bit(1, 8, 'Online PIN required'),
  bit(1, 7, 'Signature required'),
  bit(1, 6, 'Go online if offline data authentication fails and reader is online capable'),
  bit(1, 5, 'Switch interface if offline data authentication fails and reader supports contact chip'),
  bit(1, 4, 'Go online if application expired'),
  bit(1, 3, 'Switch interface for cash transactions'),
  bit(1, 2, 'Switch interface for cashback transactions'),
  bit(2, 8, 'Consumer device CVM performed'),
  bit(2, 7, 'Card supports issuer update processing at the point of sale'),
];

/** Application usage control, tag 9F07 (EMV Book 3 Annex C2). */
export const AUC = {
  domesticCash: bit(1, 8, 'Valid for domestic cash transactions'),
  internationalCash: bit(1, 7, 'Valid for international cash transactions'),
  domesticGoods: bit(1, 6, 'Valid for domestic goods'),
  internationalGoods: bit(1, 5, 'Valid for international goods'),
  domesticServices: bit(1, 4, 'Valid for domestic services'),
  internationalServices: bit(1, 3, 'Valid for international services'),
  atms: bit(1, 2, 'Valid at ATMs'),
  otherThanAtms: bit(1, 1, 'Valid at terminals other than ATMs'),
  domesticCashback: bit(2, 8, 'Domestic cashback allowed'),
  internationalCashback: bit(2, 7, 'International cashback allowed'),
} as const satisfies BitTable;
