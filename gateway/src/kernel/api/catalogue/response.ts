import {
  alphanumeric,
  CURRENCY,
  characters,
  digits,
  type Format,
  oneOf,
  PAYMENT_TYPE,
  PRICE,
  pattern,
  text,
} from './rows/format.js';

/** One field of the payment answer. */
export interface ResponseField {
  /** Name with dots; JSON objects nest as the dots say. `[key]` is any name of a map, `[n]` an entry of a list. */
  readonly name: string;
  readonly format: Format;
  /** In every answer; the others come where they are known. */
  readonly always?: true;
}

const FREE = text(0, 2048);
const TERMINAL_DATA = alphanumeric(1, 2048);

const inForm = (format: Format, ...names: readonly string[]): readonly ResponseField[] =>
  names.map((name) => ({ name, format }));

/** Spec 2.10: the payment answer, and 2.3: the terminal's part of it. Clients must bear fields that are not here. */
export const RESPONSE_FIELDS: readonly ResponseField[] = [
  { name: 'id', format: alphanumeric(32, 32) },
  { name: 'paymentType', format: PAYMENT_TYPE },
  { name: 'paymentBrand', format: text(1, 32) },
  { name: 'amount', format: PRICE },
  { name: 'currency', format: CURRENCY },
  { name: 'descriptor', format: text(1, 127) },
  { name: 'result.code', format: characters('0-9.', 2, 11), always: true },
  { name: 'result.description', format: text(0, 255) },
  { name: 'result.avsResponse', format: characters('A-Z', 1, 1) },
  { name: 'result.cvvResponse', format: characters('A-Z', 1, 1) },
  { name: 'resultDetails.AcquirerResponse', format: FREE },
  { name: 'resultDetails.MerchantAdviceCode', format: digits(2, 2) },
  { name: 'resultDetails[key]', format: FREE },
  { name: 'card.bin', format: digits(6, 6) },
  { name: 'card.last4Digits', format: digits(4, 4) },
  { name: 'card.holder', format: text(1, 128) },
  { name: 'card.expiryMonth', format: digits(2, 2) },
  { name: 'card.expiryYear', format: digits(4, 4) },
  ...inForm(FREE, 'card.issuer.bank', 'card.issuer.phone', 'card.issuer.website', 'card.type', 'card.level'),
  { name: 'card.regulatedFlag', format: text(4, 5) },
  { name: 'risk.score', format: pattern('[+-]?\\d{1,5}') },
  { name: 'registrationId', format: alphanumeric(32, 32) },
  { name: 'brandResult', format: text(0, 16) },
  ...inForm(
    TERMINAL_DATA,
    'pos.clearing.authorizationAcquirerCode',
    'pos.clearing.authorizationIssuerCode',
    'pos.clearing.identifier',
    'pos.merchantId',
    'pos.iccDataResponse',
    'pos.statusText',
  ),
  { name: 'pos.timestamp', format: { kind: 'timestamp' } },
  { name: 'redirect.url', format: { kind: 'url', min: 6, max: 2048 } },
  { name: 'redirect.method', format: oneOf('GET', 'POST') },
  ...inForm(text(1, 255), 'redirect.parameters[n].name', 'redirect.parameters[n].value'),
  ...[
    'version',
    'flow',
    'authenticationStatus',
    'transactionStatusReason',
    'eci',
    'verificationId',
    'dsTransactionId',
    'acsTransactionId',
    'challengeIndicator',
    'exemptionFlag',
  ].map((name) => ({ name: `threeDSecure.${name}`, format: text(1, 36) })),
  { name: 'customParameters[key]', format: FREE },
  { name: 'buildNumber', format: text(0, 255), always: true },
  {
    name: 'timestamp',
    format: pattern('\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}[+-]\\d{4}'),
    always: true,
  },
  { name: 'ndc', format: characters('A-Za-z0-9-', 1, 69), always: true },
];
