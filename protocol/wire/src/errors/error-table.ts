import type { ErrorGroup, ErrorTable } from './error-row.js';
import { PROOF_FAULTS } from './proof-faults.js';

const CALLER = 'correct the argument at the place that makes the call';
const SENDER = 'correct the sender of the message; the receiver drops the message';
const OTHER_KEY = 'compare key, scheme and version with those of the sender';
const CARD = 'decline offline or go online, as the terminal action codes say';
const CARD_KEY = 'compare the certification authority keys with those that the scheme publishes';
const TOKEN = 'refuse the token; the customer pays again';

/** Codes of {@link BridgeError}. */
export const BRIDGE_RULES = {
  'too-large': ['the message is longer than the bridge allows', SENDER],
  malformed: ['the bytes are no message of the bridge', SENDER],
  'unknown-body': ['the message has no body that this build knows', 'update the older of agent and gateway'],
  limit: ['a field of the message is over its limit', SENDER],
  'bad-id': ['an id has characters or a length that the bridge does not allow', SENDER],
} as const satisfies ErrorGroup;

/** Codes of {@link TlvError}. */
export const TLV_ERRORS = {
  badTag: ['the tag bytes end early', SENDER],
  badLength: ['the length bytes are missing, incomplete or of the indefinite form', SENDER],
  truncated: ['fewer value bytes than the length states', SENDER],
  tooDeep: ['templates nested deeper than the limit', SENDER],
  tooLong: ['more bytes than the limit', SENDER],
} as const satisfies ErrorGroup;

/** Codes of {@link Iso8583Error}. */
export const ISO8583_ERRORS = {
  badField: [
    'the value is too long, too short, or not of the field’s alphabet, or the field has no specification',
    SENDER,
  ],
  truncated: ['the message ends early', SENDER],
  trailing: ['bytes are left over behind the last field', SENDER],
  tooLong: ['the message is longer than 65,535 bytes', SENDER],
} as const satisfies ErrorGroup;

/** Rules of {@link CryptoError}. The codes are those of the published test vectors where the vectors name one. */
export const CRYPTO_RULES = {
  // sizes and shapes of arguments
  badKeyLength: ['the key has a length that the algorithm does not take', CALLER],
  badDataLength: ['the data is no whole number of cipher blocks', CALLER],
  badIv: ['the initial value is not one cipher block', CALLER],
  badKsn: ['the key serial number has the wrong length', CALLER],
  badPan: ['the PAN is not of 8 to 19 digits (1 to 19 in a PIN block)', CALLER],
  badPin: ['the PIN is not 4 to 12 digits', 'ask for the PIN again'],
  badArgument: ['an argument is not of the form that the operation takes', CALLER],
  // keys
  badParity: ['a key byte has even parity', 'enter the key again from its components'],
  testKey: ['a published test key is refused in live mode', 'load a key of your own'],
  // DUKPT
  badCounter: ['the transaction counter is zero or has more one-bits than the standard allows', OTHER_KEY],
  counterExhausted: [
    'no legal counter follows: the device needs a new initial key',
    'load a new initial key into the terminal',
  ],
  // PIN blocks
  badControl: [
    'the control nibble belongs to another PIN block format (or the key is another one)',
    OTHER_KEY,
  ],
  badLength: ['the length is outside the range that the format allows', OTHER_KEY],
  badDigits: ['a PIN digit is not 0 to 9 (or the PAN or the key is another one)', OTHER_KEY],
  badPadding: ['the padding is not that of the format', OTHER_KEY],
  notAllowed: [
    'the standard or the policy forbids this operation',
    'use an operation that the policy allows',
  ],
  // key blocks
  badHeader: ['the key block header is malformed', SENDER],
  badEncoding: ['key or MAC part of the text is not hex', SENDER],
  badKbpk: ['the key block protection key does not fit the version', OTHER_KEY],
  badMac: ['the message authentication code differs', OTHER_KEY],
  badKey: ['the length inside the deciphered key data is impossible', OTHER_KEY],
  weakProtection: [
    'the protection key is weaker than the key it protects (NIST SP 800-57 Part 1, table 2)',
    'have the key wrapped under a protection key that is at least as strong',
  ],
  // authenticated encryption
  badTagLength: ['the authentication tag is not 16 bytes', CALLER],
  badTag: ['the authentication tag differs: changed data, other key, or other associated data', OTHER_KEY],
  // offline data authentication
  badCheckValue: ['the hash delivered with the certification authority key differs', CARD_KEY],
  badIssuerCertificate: ['header, trailer or hash of the recovered issuer certificate is wrong', CARD],
  badIccCertificate: ['header, trailer, hash or PAN of the recovered card certificate is wrong', CARD],
  badSsad: ['header, trailer or hash of the signed static data is wrong', CARD],
  badSdad: ['header, trailer or hash of the signed dynamic data is wrong', CARD],
  // containers and wallet tokens
  malformed: ['the content cannot be read as the scheme defines it', TOKEN],
  badVersion: ['the version is not the one of the scheme', TOKEN],
  badChain: ['the certificate or intermediate key is not signed by a trust anchor', TOKEN],
  expiredKey: ['the certificate or intermediate key has expired', TOKEN],
  badSignature: ['the signature fails: changed content or another recipient', TOKEN],
  unknownKey: ['no merchant key fits the token', 'load the merchant key that the wallet enciphers for'],
  expiredMessage: ['the token has expired', TOKEN],
} as const satisfies ErrorGroup;

/** Codes of {@link ThreeDSError}: those of the error message of EMV 3DS (table A.4). */
export const THREE_DS_ERRORS = {
  '101': ['Message is not AReq, ARes, CReq, CRes, PReq, PRes, RReq, or RRes', SENDER],
  '102': ['Message Version Number received is not valid for the receiving component', SENDER],
  '201': ['A message element required as defined is missing', SENDER],
  '202': ['Critical message extension not recognised', SENDER],
  '203': ['Data element not in the required format or value is invalid', SENDER],
  '301': ['Transaction ID received is not valid for the receiving component', SENDER],
  '303': ['Access denied, invalid endpoint', SENDER],
  '304': ['ISO code not valid', SENDER],
  '305': ['Transaction data not valid', SENDER],
  '402': ['Transaction timed out', 'begin the authentication again'],
  '403': ['Transient system failure', 'begin the authentication again'],
  '405': ['System connection failure', 'begin the authentication again'],
} as const satisfies ErrorGroup;

/** Classes that have no codes. */
const CLASSES = {
  AmountFormatError: ['the text is no amount of its currency', 'send up to 10 digits, a dot and 2 decimals'],
  EnrolmentCodeError: ['the text is no enrolment code', 'copy the code again, all eight groups of eight'],
  PipeClosedError: ['the byte pipe is closed', 'open it again when the terminal is back'],
  ProofFormatError: ['the file is no proof of a sale', 'give the file that "tillbridge-agent prove" wrote'],
  TerminalFormatError: ['bytes or values that the protocol of the maker does not allow', SENDER],
  TraceError: ['the file is no trace', 'give a file that "tillbridge-sim record" or the agent has written'],
} as const satisfies ErrorGroup;

/** All errors of the package. */
export const ERROR_TABLE = {
  'Classes without codes': CLASSES,
  BridgeError: BRIDGE_RULES,
  CryptoError: CRYPTO_RULES,
  Iso8583Error: ISO8583_ERRORS,
  'Proof of a sale': PROOF_FAULTS,
  ThreeDSError: THREE_DS_ERRORS,
  TlvError: TLV_ERRORS,
} as const satisfies ErrorTable;

/** Codes that were given up, as `Class code`; none of them is used again. */
export const RETIRED: readonly string[] = [];
