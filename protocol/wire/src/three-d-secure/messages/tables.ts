import { CARD_RANGES } from './card-range.js';
import { isExtension, MAX_EXTENSIONS } from './extension.js';
import { type Field, MESSAGE_VERSIONS, type Need, optional, required, type ValuesOf } from './field.js';
import {
  AUTHENTICATION_VALUE,
  BOOLEAN,
  COUNTRY,
  CURRENCY,
  codes,
  DATE,
  digits,
  form,
  listOf,
  object,
  oneOf,
  TIME,
  text,
  twoDigitCodes,
  URL_2048,
  UUID,
  url,
  YES_NO,
} from './formats.js';

/*
 * The messages of EMV 3-D Secure, Protocol and Core Functions Specification 2.1.0 and 2.2.0: table A.1 (data elements) and tables B.1 to B.9
 * (which message has which). The app-based CReq and CRes (table A.10 and following) are not here: the native challenge is not built.
 */

const APP: Need = { channels: ['01'] };
const BROWSER: Need = { channels: ['02'] };
const REQUESTOR: Need = { channels: ['03'] };
const WITH_CARDHOLDER: Need = { channels: ['01', '02'] };
const PAYMENT: Need = { categories: ['01'] };
/** The largest encrypted device information. */
const MAX_DEVICE_DATA = 64_000;

const EXTENSIONS = optional('messageExtension', listOf(MAX_EXTENSIONS, 'extension', isExtension));
const SERVER_TRANS_ID = required('threeDSServerTransID', UUID);
const ACS_TRANS_ID = required('acsTransID', UUID);
const DS_TRANS_ID = required('dsTransID', UUID);
const VERSION = required('messageVersion', oneOf(...MESSAGE_VERSIONS));
const type = (name: string) => required('messageType', oneOf(name));
const head = (name: string) => [type(name), VERSION, SERVER_TRANS_ID] as const;
const PHONE = object(60);
const SDK_TRANS_ID = required('sdkTransID', UUID, APP);
const TAIL = [
  optional('whiteListStatus', oneOf('Y', 'N', 'E', 'P', 'R', 'U')),
  optional('whiteListStatusSource', twoDigitCodes(3)),
  EXTENSIONS,
] as const;

/** An address of the cardholder. */
function address<const P extends 'bill' | 'ship'>(prefix: P) {
  const line = text(1, 50);
  return [
    optional(`${prefix}AddrCity` as const, line),
    optional(`${prefix}AddrCountry` as const, COUNTRY),
    optional(`${prefix}AddrLine1` as const, line),
    optional(`${prefix}AddrLine2` as const, line),
    optional(`${prefix}AddrLine3` as const, line),
    optional(`${prefix}AddrPostCode` as const, text(1, 16)),
    optional(`${prefix}AddrState` as const, text(1, 3)),
  ] as const;
}

const AREQ = [
  ...head('AReq'),
  required('messageCategory', twoDigitCodes(2)),
  required('deviceChannel', oneOf('01', '02', '03')),
  // 3DS Server and Requestor
  required('threeDSServerRefNumber', text(1, 32)),
  optional('threeDSServerOperatorID', text(1, 32)),
  required('threeDSServerURL', URL_2048),
  required('threeDSRequestorID', text(1, 35)),
  required('threeDSRequestorName', text(1, 40)),
  required('threeDSRequestorURL', URL_2048),
  required('threeDSCompInd', oneOf('Y', 'N', 'U'), BROWSER),
  required('threeDSRequestorAuthenticationInd', twoDigitCodes(6, 7), WITH_CARDHOLDER),
  optional('threeDSRequestorAuthenticationInfo', object(21_000)),
  optional('threeDSReqAuthMethodInd', twoDigitCodes(3)),
  optional('threeDSRequestorChallengeInd', twoDigitCodes(4, 9)),
  optional('threeDSRequestorPriorAuthenticationInfo', object(2_200)),
  optional('threeDSRequestorDecReqInd', YES_NO),
  optional('threeDSRequestorDecMaxTime', form('00001 to 10080 minutes', /^(0\d{4}|100[0-7]\d|10080)$/)),
  required('threeRIInd', twoDigitCodes(5, 11), REQUESTOR),
  // cardholder account
  required('acctNumber', digits(13, 19)),
  optional('cardExpiryDate', form('YYMM', /^\d\d(0[1-9]|1[0-2])$/)),
  optional('acctType', twoDigitCodes(3)),
  optional('acctID', text(1, 64)),
  optional('acctInfo', object(2_048)),
  optional('payTokenInd', BOOLEAN),
  optional('cardholderName', text(2, 45)),
  optional('email', text(3, 254)),
  optional('homePhone', PHONE),
  optional('mobilePhone', PHONE),
  optional('workPhone', PHONE),
  optional('addrMatch', YES_NO),
  ...address('bill'),
  ...address('ship'),
  // merchant and purchase
  required('acquirerBIN', digits(1, 11), PAYMENT),
  required('acquirerMerchantID', text(1, 35), PAYMENT),
  required('mcc', digits(4), PAYMENT),
  required('merchantCountryCode', COUNTRY, PAYMENT),
  required('merchantName', text(1, 40), PAYMENT),
  optional('merchantRiskIndicator', object(512)),
  required('purchaseAmount', digits(1, 48), PAYMENT),
  required('purchaseCurrency', CURRENCY, PAYMENT),
  required('purchaseExponent', digits(1), PAYMENT),
  required('purchaseDate', TIME, PAYMENT),
  optional('purchaseInstalData', form('2 to 999', /^(?:[2-9]|0[2-9]|00[2-9]|0?[1-9]\d|[1-9]\d\d)$/)),
  optional('recurringExpiry', DATE),
  optional('recurringFrequency', digits(1, 4)),
  optional('transType', oneOf('01', '03', '10', '11', '28')),
  // browser
  required('notificationURL', url(256), BROWSER),
  required('browserAcceptHeader', text(1, 2_048), BROWSER),
  optional('browserIP', text(1, 45)),
  required('browserJavaEnabled', BOOLEAN, BROWSER),
  required('browserJavascriptEnabled', BOOLEAN, { ...BROWSER, from: '2.2.0' }),
  required('browserLanguage', text(1, 8), BROWSER),
  optional('browserColorDepth', oneOf('1', '4', '8', '15', '16', '24', '32', '48')),
  optional('browserScreenHeight', digits(1, 6)),
  optional('browserScreenWidth', digits(1, 6)),
  optional('browserTZ', form('1 to 5 characters, minutes', /^[+-]?\d{1,4}$/)),
  required('browserUserAgent', text(1, 2_048), BROWSER),
  // app
  required('deviceRenderOptions', object(256), APP),
  required('sdkAppID', UUID, APP),
  optional('sdkEncData', text(1, MAX_DEVICE_DATA)),
  optional('deviceInfo', text(1, MAX_DEVICE_DATA)),
  required('sdkEphemPubKey', object(256), APP),
  required('sdkMaxTimeout', form('05 to 99 minutes', /^(0[5-9]|[1-9]\d)$/), APP),
  required('sdkReferenceNumber', text(1, 32), APP),
  SDK_TRANS_ID,
  // added by the directory server
  optional('dsReferenceNumber', text(1, 32)),
  optional('dsTransID', UUID),
  optional('dsURL', URL_2048),
  ...TAIL,
] as const;

const AUTHENTICATED: Need = { categories: ['01'], statuses: ['Y', 'A'] };
const STATUS = codes(['Y', 'N', 'U', 'A', 'C', 'R'], ['D', 'I']);
const REASON = twoDigitCodes(19, 26);

const ARES = [
  ...head('ARes'),
  ACS_TRANS_ID,
  DS_TRANS_ID,
  required('acsReferenceNumber', text(1, 32)),
  required('dsReferenceNumber', text(1, 32)),
  optional('acsOperatorID', text(1, 32)),
  required('transStatus', STATUS, PAYMENT),
  required('transStatusReason', REASON, { categories: ['01'], statuses: ['N', 'U', 'R'] }),
  required('authenticationValue', AUTHENTICATION_VALUE, AUTHENTICATED),
  optional('eci', digits(2)),
  required('acsChallengeMandated', YES_NO, { statuses: ['C'] }),
  required('authenticationType', twoDigitCodes(3, 4), { statuses: ['C', 'D'] }),
  required('acsURL', URL_2048, { ...BROWSER, statuses: ['C'] }),
  required('acsRenderingType', object(256), { ...APP, statuses: ['C'] }),
  required('acsSignedContent', text(1, 64_000), { ...APP, statuses: ['C'] }),
  required('acsDecConInd', YES_NO, { statuses: ['D'] }),
  optional('broadInfo', object(4_096)),
  optional('cardholderInfo', text(1, 128)),
  SDK_TRANS_ID,
  ...TAIL,
] as const;

const CREQ = [
  ...head('CReq'),
  ACS_TRANS_ID,
  required('challengeWindowSize', oneOf('01', '02', '03', '04', '05')),
  EXTENSIONS,
] as const;

const CRES = [...head('CRes'), ACS_TRANS_ID, required('transStatus', oneOf('Y', 'N')), EXTENSIONS] as const;

const RREQ = [
  ...head('RReq'),
  ACS_TRANS_ID,
  DS_TRANS_ID,
  required('messageCategory', twoDigitCodes(2)),
  required('transStatus', oneOf('Y', 'N', 'U', 'A', 'R')),
  required('transStatusReason', REASON, { categories: ['01'], statuses: ['N', 'U', 'R'] }),
  required('authenticationValue', AUTHENTICATION_VALUE, AUTHENTICATED),
  optional('eci', digits(2)),
  optional('authenticationMethod', twoDigitCodes(10, 11)),
  required('authenticationType', twoDigitCodes(3, 4), { statuses: ['Y'] }),
  optional('challengeCancel', twoDigitCodes(7, 8)),
  required('interactionCounter', digits(2), WITH_CARDHOLDER),
  required('acsRenderingType', object(256), APP),
  SDK_TRANS_ID,
  ...TAIL,
] as const;

const RRES = [
  ...head('RRes'),
  ACS_TRANS_ID,
  DS_TRANS_ID,
  required('resultsStatus', twoDigitCodes(3, 4)),
  SDK_TRANS_ID,
  EXTENSIONS,
] as const;

const PREQ = [
  ...head('PReq'),
  required('threeDSServerRefNumber', text(1, 32)),
  optional('threeDSServerOperatorID', text(1, 32)),
  optional('serialNum', text(1, 20)),
  EXTENSIONS,
] as const;

const PRES = [
  ...head('PRes'),
  DS_TRANS_ID,
  required('dsStartProtocolVersion', form('a version', /^\d\.\d\.\d$/)),
  required('dsEndProtocolVersion', form('a version', /^\d\.\d\.\d$/)),
  optional('serialNum', text(1, 20)),
  optional('cardRangeData', CARD_RANGES),
  EXTENSIONS,
] as const;

const ERRO = [
  type('Erro'),
  VERSION,
  optional('threeDSServerTransID', UUID),
  optional('acsTransID', UUID),
  optional('dsTransID', UUID),
  optional('sdkTransID', UUID),
  required('errorCode', digits(3)),
  required('errorComponent', oneOf('C', 'S', 'D', 'A')),
  required('errorDescription', text(1, 2_048)),
  required('errorDetail', text(1, 2_048)),
  optional('errorMessageType', text(4, 4)),
] as const;

/** The fields of every message, by its type. */
export const MESSAGES = {
  AReq: AREQ,
  ARes: ARES,
  CReq: CREQ,
  CRes: CRES,
  RReq: RREQ,
  RRes: RRES,
  PReq: PREQ,
  PRes: PRES,
  Erro: ERRO,
} as const satisfies Readonly<Record<string, readonly Field[]>>;

export type MessageType = keyof typeof MESSAGES;

/** The values of a message. A valid one has those that its facts require. */
export type Message<T extends MessageType> = ValuesOf<(typeof MESSAGES)[T]>;
