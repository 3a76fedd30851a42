/** Templates of MPI: what the host sends, and how a transaction command ended. */
export const TEMPLATES = {
  commandData: 'E0',
  responseData: 'E1',
  decisionRequired: 'E2',
  approved: 'E3',
  onlineRequired: 'E4',
  declined: 'E5',
  statusChanged: 'E6',
  softwareInformation: 'EF',
} as const;

/** Tags of the maker's own. */
export const TAGS = {
  cardStatus: '48',
  answerToReset: '63',
  /** How the cardholder of a tap is to be verified: {@link TAP_CVM}. */
  cardholderVerification: 'DF28',
  identifier: 'DF0D',
  version: 'DF7F',
  statusCode: 'C3',
  statusText: 'C4',
  pinDigits: 'DFA101',
  pinEntryStatus: 'DFA102',
  riskStage: 'DFA203',
  applicationSelection: 'DFA204',
  keyboardData: 'DFA205',
  chargingStatus: 'DFA209',
  batteryStatus: 'DFA20A',
  p2peStatus: 'DFAE01',
  sredData: 'DFAE02',
  sredKsn: 'DFAE03',
  pinData: 'DFAE04',
  pinKsn: 'DFAE05',
  maskedMagstripeTrack2: 'DFAE22',
  maskedChipTrack2: 'DFAE57',
  maskedPan: 'DFAE5A',
} as const;

/** Codes of C3. */
export const DEVICE_STATUS = { pinEntry: 0x02 } as const;

/** Values of DF28 (from public sources incomplete: the tag is published, its values are not). */
export const TAP_CVM = { none: 0x00, signature: 0x01, onlinePin: 0x02 } as const;

/** Bits of DFAE01. */
export const P2PE_STATUS = { initialised: 0x01, pinReady: 0x02, sredReady: 0x04 } as const;

/** One-byte answers of ONLINE PIN in place of a PIN block. */
export const ONLINE_PIN_ENDS = { cancelledOrTimeout: 0x08, bypassed: 0x0c } as const;

/** Codes of DFA205: those of ASCII (tests of the maker's host code). */
export const KEYS = { enter: 0x0d, cancel: 0x1b } as const;
