import { Ajv, type ValidateFunction } from 'ajv';

/*
 * JSON schemas of the messages, written by hand from EMV 3-D Secure, Protocol and Core Functions Specification, version 2.2.0: table A.1
 * (length, form and accepted values of each data element) and tables B.1 to B.9 (which message has it, and where it is required). They share
 * no code with the product. Only browser channel and payments, as these tests send them; 2.1.0 differs where `version` is 2.1.0.
 */

type Schema = Readonly<Record<string, unknown>>;

const text = (minLength: number, maxLength: number): Schema => ({ type: 'string', minLength, maxLength });
const digits = (min: number, max = min): Schema => ({ type: 'string', pattern: `^[0-9]{${min},${max}}$` });
const values = (...allowed: string[]): Schema => ({ type: 'string', enum: allowed });
const UUID: Schema = {
  type: 'string',
  pattern: '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$',
};
const URL_256: Schema = { type: 'string', pattern: '^https?://[^\\s]+$', maxLength: 256 };
const URL_2048: Schema = { ...URL_256, maxLength: 2048 };
const CAVV: Schema = { type: 'string', pattern: '^[A-Za-z0-9+/=]{28}$' };
const BOOLEAN: Schema = { type: 'boolean' };
const VERSION = values('2.1.0', '2.2.0');

const EXTENSION: Schema = {
  type: 'array',
  maxItems: 10,
  items: {
    type: 'object',
    required: ['name', 'id', 'criticalityIndicator', 'data'],
    properties: {
      name: text(1, 64),
      id: text(1, 64),
      criticalityIndicator: BOOLEAN,
      data: { type: 'object' },
    },
    additionalProperties: false,
  },
};

function message(
  type: string,
  required: Readonly<Record<string, Schema>>,
  optional: Readonly<Record<string, Schema>> = {},
  more: Schema = {},
): Schema {
  return {
    type: 'object',
    required: ['messageType', 'messageVersion', ...Object.keys(required)],
    properties: {
      messageType: { const: type },
      messageVersion: VERSION,
      ...required,
      ...optional,
      messageExtension: EXTENSION,
    },
    additionalProperties: false,
    ...more,
  };
}

const ADDRESS = (prefix: string): Readonly<Record<string, Schema>> => ({
  [`${prefix}City`]: text(1, 50),
  [`${prefix}Country`]: digits(3),
  [`${prefix}Line1`]: text(1, 50),
  [`${prefix}Line2`]: text(1, 50),
  [`${prefix}PostCode`]: text(1, 16),
  [`${prefix}State`]: text(1, 3),
});

const AREQ = message(
  'AReq',
  {
    threeDSCompInd: values('Y', 'N', 'U'),
    threeDSRequestorAuthenticationInd: values('01', '02', '03', '04', '05', '06', '07'),
    threeDSRequestorID: text(1, 35),
    threeDSRequestorName: text(1, 40),
    threeDSRequestorURL: URL_2048,
    threeDSServerRefNumber: text(1, 32),
    threeDSServerTransID: UUID,
    threeDSServerURL: URL_2048,
    acctNumber: digits(13, 19),
    acquirerBIN: digits(1, 11),
    acquirerMerchantID: text(1, 35),
    browserAcceptHeader: text(1, 2048),
    browserJavaEnabled: BOOLEAN,
    browserLanguage: text(1, 8),
    browserScreenHeight: digits(1, 6),
    browserScreenWidth: digits(1, 6),
    browserTZ: { type: 'string', pattern: '^[+-]?[0-9]{1,4}$', maxLength: 5 },
    browserUserAgent: text(1, 2048),
    deviceChannel: { const: '02' },
    mcc: digits(4),
    merchantCountryCode: digits(3),
    merchantName: text(1, 40),
    messageCategory: { const: '01' },
    notificationURL: URL_256,
    purchaseAmount: digits(1, 48),
    purchaseCurrency: digits(3),
    purchaseDate: digits(14),
    purchaseExponent: digits(1),
  },
  {
    threeDSRequestorChallengeInd: values('01', '02', '03', '04', '05', '06', '07', '08', '09'),
    threeDSRequestorDecReqInd: values('Y', 'N'),
    threeDSRequestorDecMaxTime: digits(5),
    browserColorDepth: values('1', '4', '8', '15', '16', '24', '32', '48'),
    browserIP: text(1, 45),
    browserJavascriptEnabled: BOOLEAN,
    cardExpiryDate: digits(4),
    cardholderName: text(2, 45),
    email: text(3, 254),
    purchaseInstalData: digits(1, 3),
    recurringExpiry: digits(8),
    recurringFrequency: digits(1, 4),
    ...ADDRESS('billAddr'),
    ...ADDRESS('shipAddr'),
  },
  // New in 2.2.0: required there, unknown before.
  {
    if: { properties: { messageVersion: { const: '2.2.0' } } },
    // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
    then: { required: ['browserJavascriptEnabled'] },
    else: {
      properties: {
        browserJavascriptEnabled: false,
        threeDSRequestorDecReqInd: false,
        threeDSRequestorDecMaxTime: false,
        threeDSRequestorChallengeInd: values('01', '02', '03', '04'),
        threeDSRequestorAuthenticationInd: values('01', '02', '03', '04', '05', '06'),
      },
    },
  },
);

/** Elements that a status makes necessary. */
const whenStatus = (statuses: readonly string[], required: readonly string[]): Schema => ({
  if: { properties: { transStatus: { enum: statuses } } },
  // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
  then: { required },
});

const REASON = digits(2);

const ARES = message(
  'ARes',
  {
    threeDSServerTransID: UUID,
    acsReferenceNumber: text(1, 32),
    acsTransID: UUID,
    dsReferenceNumber: text(1, 32),
    dsTransID: UUID,
    transStatus: values('Y', 'N', 'U', 'A', 'C', 'D', 'R', 'I'),
  },
  {
    acsChallengeMandated: values('Y', 'N'),
    acsDecConInd: values('Y', 'N'),
    acsURL: URL_2048,
    authenticationType: values('01', '02', '03', '04'),
    authenticationValue: CAVV,
    eci: digits(2),
    transStatusReason: REASON,
  },
  {
    allOf: [
      whenStatus(['Y', 'A'], ['authenticationValue']),
      whenStatus(['N', 'U', 'R'], ['transStatusReason']),
      whenStatus(['C'], ['acsURL', 'acsChallengeMandated', 'authenticationType']),
      whenStatus(['D'], ['acsDecConInd', 'authenticationType']),
    ],
  },
);

const RREQ = message(
  'RReq',
  {
    threeDSServerTransID: UUID,
    acsTransID: UUID,
    dsTransID: UUID,
    interactionCounter: digits(2),
    messageCategory: { const: '01' },
    transStatus: values('Y', 'N', 'U', 'A', 'R'),
  },
  {
    authenticationMethod: digits(2),
    authenticationType: values('01', '02', '03', '04'),
    authenticationValue: CAVV,
    challengeCancel: values('01', '02', '03', '04', '05', '06', '07', '08'),
    eci: digits(2),
    transStatusReason: REASON,
  },
  {
    allOf: [
      whenStatus(['Y', 'A'], ['authenticationValue', 'authenticationType']),
      whenStatus(['N', 'U', 'R'], ['transStatusReason']),
    ],
  },
);

const RRES = message('RRes', {
  threeDSServerTransID: UUID,
  acsTransID: UUID,
  dsTransID: UUID,
  resultsStatus: values('01', '02', '03', '04'),
});

const CREQ = message('CReq', {
  threeDSServerTransID: UUID,
  acsTransID: UUID,
  challengeWindowSize: values('01', '02', '03', '04', '05'),
});

const CRES = message('CRes', { threeDSServerTransID: UUID, acsTransID: UUID, transStatus: values('Y', 'N') });

const PREQ = message(
  'PReq',
  { threeDSServerRefNumber: text(1, 32), threeDSServerTransID: UUID },
  { serialNum: text(1, 20) },
);

const PRES = message(
  'PRes',
  {
    threeDSServerTransID: UUID,
    dsTransID: UUID,
    dsStartProtocolVersion: text(5, 8),
    dsEndProtocolVersion: text(5, 8),
  },
  {
    serialNum: text(1, 20),
    cardRangeData: {
      type: 'array',
      items: {
        type: 'object',
        required: ['startRange', 'endRange', 'acsStartProtocolVersion', 'acsEndProtocolVersion'],
        properties: {
          startRange: digits(13, 19),
          endRange: digits(13, 19),
          acsStartProtocolVersion: text(5, 8),
          acsEndProtocolVersion: text(5, 8),
          actionInd: values('A', 'D', 'M'),
          acsInfoInd: { type: 'array', items: digits(2) },
          threeDSMethodURL: URL_256,
        },
        additionalProperties: false,
      },
    },
  },
);

const ERRO = message(
  'Erro',
  {
    errorCode: digits(3),
    errorComponent: values('C', 'S', 'D', 'A'),
    errorDescription: text(1, 2048),
    errorDetail: text(1, 2048),
  },
  {
    threeDSServerTransID: UUID,
    acsTransID: UUID,
    dsTransID: UUID,
    errorMessageType: values('AReq', 'ARes', 'CReq', 'CRes', 'PReq', 'PRes', 'RReq', 'RRes'),
  },
);

const METHOD_DATA: Schema = {
  type: 'object',
  required: ['threeDSServerTransID'],
  properties: { threeDSServerTransID: UUID, threeDSMethodNotificationURL: URL_256 },
  additionalProperties: false,
};

const SCHEMAS = {
  AReq: AREQ,
  ARes: ARES,
  RReq: RREQ,
  RRes: RRES,
  CReq: CREQ,
  CRes: CRES,
  PReq: PREQ,
  PRes: PRES,
  Erro: ERRO,
  methodData: METHOD_DATA,
};

const ajv = new Ajv({ allErrors: true, strictTypes: false });
const CHECKS: Readonly<Record<string, ValidateFunction>> = Object.fromEntries(
  Object.entries(SCHEMAS).map(([name, schema]) => [name, ajv.compile(schema)]),
);

/** What is wrong with a message by the specification; `kind` is that of `threeDSMethodData`, which names no type. */
export function faultsOf(value: unknown, kind?: 'methodData'): readonly string[] {
  const { messageType = '' } = value as { readonly messageType?: string };
  const check = CHECKS[kind ?? messageType];
  if (!check) return [`there is no message ${messageType}`];
  return check(value)
    ? []
    : (check.errors ?? []).map(({ instancePath, message: text }) => `${messageType}${instancePath} ${text}`);
}
