import { type BitTable, bit, bitNames } from './bits.js';

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

/** Names of the set bits. */
export function tvrNames(tvr: Uint8Array): string[] {
  return bitNames(tvr, TVR);
}
