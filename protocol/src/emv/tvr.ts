import { type BitTable, bit, bitNames, bitTable } from './bits.js';

/** Bytes of the terminal verification results, tag 95. */
export const TVR_BYTES = 5;

/** Terminal verification results (EMV Book 3 Annex C5). */
export const TVR_TABLE: BitTable = bitTable([
  [1, 8, 'Offline data authentication was not performed'],
  [1, 7, 'SDA failed'],
  [1, 6, 'ICC data missing'],
  [1, 5, 'Card appears on terminal exception file'],
  [1, 4, 'DDA failed'],
  [1, 3, 'CDA failed'],
  [1, 2, 'SDA selected'],
  [1, 1, 'XDA selected'],
  [2, 8, 'ICC and terminal have different application versions'],
  [2, 7, 'Expired application'],
  [2, 6, 'Application not yet effective'],
  [2, 5, 'Requested service not allowed for card product'],
  [2, 4, 'New card'],
  [2, 2, 'Biometric performed and successful'],
  [2, 1, 'Biometric template format not supported'],
  [3, 8, 'Cardholder verification was not successful'],
  [3, 7, 'Unrecognised CVM'],
  [3, 6, 'PIN try limit exceeded'],
  [3, 5, 'PIN entry required and PIN pad not present or not working'],
  [3, 4, 'PIN entry required, PIN pad present, but PIN was not entered'],
  [3, 3, 'Online CVM captured'],
  [3, 2, 'Biometric required but capture device not working'],
  [3, 1, 'Biometric required and captured, subtype bypassed'],
  [4, 8, 'Transaction exceeds floor limit'],
  [4, 7, 'Lower consecutive offline limit exceeded'],
  [4, 6, 'Upper consecutive offline limit exceeded'],
  [4, 5, 'Transaction selected randomly for online processing'],
  [4, 4, 'Merchant forced transaction online'],
  [4, 3, 'Biometric try limit exceeded'],
  [4, 2, 'A selected biometric type not supported'],
  [4, 1, 'XDA signature verification failed'],
  [5, 8, 'Default TDOL used'],
  [5, 7, 'Issuer authentication failed'],
  [5, 6, 'Script processing failed before final GENERATE AC'],
  [5, 5, 'Script processing failed after final GENERATE AC'],
  [5, 4, 'Relay resistance threshold exceeded'],
  [5, 3, 'Relay resistance time limits exceeded'],
  [5, 2, 'Relay resistance protocol performed'],
  [5, 1, 'Relay resistance protocol not supported'],
]);

/** The bits that a kernel sets, by name. */
export const TVR = {
  offlineDataAuthenticationNotPerformed: bit(1, 8),
  sdaFailed: bit(1, 7),
  iccDataMissing: bit(1, 6),
  exceptionFile: bit(1, 5),
  ddaFailed: bit(1, 4),
  cdaFailed: bit(1, 3),
  sdaSelected: bit(1, 2),
  differentApplicationVersions: bit(2, 8),
  expiredApplication: bit(2, 7),
  applicationNotYetEffective: bit(2, 6),
  serviceNotAllowed: bit(2, 5),
  newCard: bit(2, 4),
  cardholderVerificationFailed: bit(3, 8),
  unrecognisedCvm: bit(3, 7),
  pinTryLimitExceeded: bit(3, 6),
  pinPadNotWorking: bit(3, 5),
  pinNotEntered: bit(3, 4),
  onlinePinEntered: bit(3, 3),
  floorLimitExceeded: bit(4, 8),
  lowerConsecutiveOfflineLimitExceeded: bit(4, 7),
  upperConsecutiveOfflineLimitExceeded: bit(4, 6),
  randomlySelectedOnline: bit(4, 5),
  merchantForcedOnline: bit(4, 4),
  defaultTdolUsed: bit(5, 8),
  issuerAuthenticationFailed: bit(5, 7),
  scriptFailedBeforeFinalGenerateAc: bit(5, 6),
  scriptFailedAfterFinalGenerateAc: bit(5, 5),
} as const;

/** Names of the set bits. */
export function tvrNames(tvr: Uint8Array): string[] {
  return bitNames(tvr, TVR_TABLE);
}
