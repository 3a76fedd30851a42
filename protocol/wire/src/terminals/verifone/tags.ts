/** Tags of the maker's own (SDI guide; EMV guides). */
export const TAGS = {
  /** Obfuscated PAN and track 2, binary digits or text. */
  obfuscatedPan: 'DF1A',
  obfuscatedTrack2: 'DF1B',
  /** Templates of the callbacks of an EMV request: progress for the merchant. */
  merchantInfo: 'BF01',
  merchantInfoCode: 'DF70',
  textDisplay: 'BF14',
  /** Results of issuer scripts, five bytes each, one behind the other (from public sources incomplete: each alone is published). */
  uncriticalScriptResults: 'DF07',
  criticalScriptResults: 'DF08',
  transactionOptions: 'DF36',
  updateOptions: 'DF3B',
  updateObjects: 'DF3C',
  forceOnline: 'DF40',
  statusInfo: 'DF42',
  forceAcceptance: 'DF43',
  onlineSwitch: 'DF48',
  onlineResult: 'DF50',
  issuerAuthentication: 'DF52',
  criticalScripts: 'DF53',
  uncriticalScripts: 'DF54',
  positiveResponseCode: 'DF57',
  answerToReset: 'DF68',
  tagList: 'DF8F30',
  errorCode: 'DFA000',
  printData: 'DFA002',
  timeoutSeconds: 'DFA005',
  inputTemplate: 'DFA007',
  menuText: 'DFA00A',
  menuEntry: 'DFA00B',
  menuIndex: 'DFA00C',
  variableValue: 'DFA013',
  inputName: 'DFA015',
  inputValue: 'DFA016',
  skipEntry: 'DFA017',
  inputFormat: 'DFA01A',
  timesTen: 'DFA01B',
  pinBypass: 'DFA104',
  technology: 'DFA108',
  stopByDialog: 'DFA109',
  applicationData: 'DFA120',
  dataOptions: 'DFA121',
  encryptionKsn: 'DFA124',
  encryptedData: 'DFA125',
  dialogOptions: 'DFA13D',
  hostName: 'DFA400',
  cryptoHandle: 'DFA401',
  initialVector: 'DFA403',
  pinKsn: 'DFA405',
  pinBlockFormat: 'DFA40A',
  pinBlock: 'DFA40B',
  propertyId: 'DFBC01',
  propertyValue: 'DFBC02',
  displayData: 'FFA011',
  inputData: 'FFA014',
} as const;

/** Tags of GET STATUS, and the container of a list with lengths whose answer is BER-TLV (COL). */
export const STATUS_TAGS = { time: 'D0', tamper: 'D2', battery: 'D4' } as const;
export const COL_CONTAINER = 'F3';

/** Bits of DFA108. */
export const TECHNOLOGY = { chip: 0x01, magstripe: 0x02, tap: 0x04, manual: 0x08 } as const;

/** Bits of DF42 (EMV ADK, status information); two or four bytes, big endian. */
export const STATUS_INFO = {
  onlinePin: 0x0001,
  signature: 0x0002,
  cardWithdrawn: 0x0080,
  tapChip: 0x0800,
  tapMagstripe: 0x1000,
} as const;

/** Codes of DF70 (EMV ADK, merchant information). */
export const MERCHANT_INFO = { cardholderVerification: 0x02, firstCryptogram: 0x05, pinInput: 0x0a } as const;

/** DF36: callbacks of merchant information, and a candidate list that is empty differs from an unreadable chip. */
export const TRANSACTION_OPTIONS = Buffer.from('0000010080', 'hex');

/** DFA13D of HANDLE DISPLAY: answered at once; ended by the cancel key, and its end kept; confirmed by the enter key. */
export const DIALOG_OPTIONS = {
  cancelKey: 0x0002,
  enterKey: 0x0008,
  async: 0x0800,
  storeResult: 0x1000,
} as const;

/** DFA007 of HANDLE SECURE INPUT: texts that the device holds, and the name of what was entered (SDI guide, 24-04). */
export const INPUT_TEMPLATES = {
  postcode: { id: 0x01, name: 'ZIP' },
  phone: { id: 0x10, name: 'PHONE' },
  installments: { id: 0x11, name: 'INSTALLMENTS' },
} as const;

/** DFA017: the verification code is not requested when a card is keyed in. */
export const SKIP_VERIFICATION_CODE = 0x01;
/** DFA104: the enter key skips the PIN. */
export const BYPASS_BY_ENTER = 0x01;
/** DFA40A: ISO 9564-1 format 0. */
export const PIN_FORMAT_0 = 0x00;

/** DFA121, three bytes: values of a fixed length are filled or cut; tags that are not there come empty (SDI guide, 29-00). */
export const DATA_OPTIONS = { padZeros: 0x01, padOnes: 0x02, addEmptyTags: 0x08, truncate: 0x10 } as const;

/** DF50. */
export const ONLINE_RESULT = { failed: 0x00, reached: 0x01 } as const;

/**
 * Host profiles of the device's security configuration. The name of the one for account data is that of the guide's example; the
 * one for PINs is named nowhere (from public sources incomplete): both must stand in the device's own file.
 */
export const HOST_PROFILES = { accountData: 'ADE-DUKPT', pin: 'PED-DUKPT' } as const;

/** Tags that CT UPDATE TXN TAGS takes, as far as a sale needs them. */
export const UPDATABLE_TAGS: ReadonlySet<string> = new Set(['9F1B', '9F41', '9F33', '9F35', '9F1C', '9F16']);

/** Bits of tag D2 (SDI guide, tamper code): the first two bytes, big endian (from public sources incomplete). */
export const TAMPER = { none: 0x0000, noValidStatus: 0x2000, noCoinCell: 0x4000, physical: 0x8000 } as const;
