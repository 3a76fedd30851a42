import {
  BOOLEAN,
  CURRENCY,
  characters,
  decimal,
  digits,
  oneOf,
  pattern,
  text,
  twoDigits,
} from './rows/format.js';
import { conditional, echoed, optional, under } from './rows/parameter.js';

/** Keys that `<scheme>` stands for. */
export const SCHEME_KEYS = ['VISA', 'MASTER', 'AMEX', 'DINERS', 'JCB', 'CARTEBANCAIRE'] as const;
/** Longest encrypted device information taken; the specification gives no bound. */
const MAX_DEVICE_INFO = 64_000;

/** Spec 2.8: for the authentication message alone. */
export const THREE_D_SECURE_AUTHENTICATION_PARAMETERS = under('threeDSecure.', [
  optional('amount', decimal(9)),
  optional('currency', CURRENCY),
  conditional('deviceInfo', text(1, MAX_DEVICE_INFO), 'app-based-three-d-secure', { sensitive: true }),
  optional('merchant.name', text(0, 100)),
  optional('merchant.url', text(0, 2048)),
  optional('merchant.country', characters('A-Za-z', 3, 3)),
  optional('v2.<scheme>.requestorId', text(0, 100)),
  optional('v2.<scheme>.requestorName', text(0, 100)),
  optional('channel', digits(1, 99)),
  optional('npa', BOOLEAN),
  optional('decoupled', BOOLEAN),
  optional('threeRIInd', oneOf('RECURRING', 'SPLIT_SHIPMENT', 'DELAYED_SHIPMENT')),
  optional(
    'authenticationInd',
    oneOf(
      'PAYMENT',
      'RECURRING',
      'INSTALLMENT',
      'ADD_CARD',
      'MAINTAIN_CARD',
      'EMV_ID',
      'BILLING_AGREEMENT',
      'SPLIT_SHIPMENT',
      '_DELAYED_SHIPMENT',
      'SPLIT_PAYMENT',
    ),
  ),
  optional('disable', BOOLEAN),
]);

/** Spec 2.8: proof of an authentication by an external 3D Secure server. */
export const THREE_D_SECURE_PROOF_PARAMETERS = echoed(
  under('threeDSecure.', [
    conditional('eci', twoDigits(1, 8), 'external-three-d-secure'),
    conditional('verificationId', text(28, 28), 'external-three-d-secure', { sensitive: true }),
    conditional('authenticationStatus', oneOf('Y', 'A', 'U', 'N'), 'external-three-d-secure'),
    optional('dsTransactionId', text(36, 36)),
    optional('acsTransactionId', text(36, 36)),
    optional('challengeMandatedIndicator', oneOf('Y', 'N')),
    optional(
      'version',
      pattern('[12]\\.\\d{1,2}\\.\\d{1,2}', {
        valid: ['1.0.2', '2.1.0', '2.3.1'],
        invalid: ['3.0.0', '2.1', '2', '2.1.0.0', 'v2.1.0'],
      }),
    ),
    optional('authType', twoDigits(1, 4)),
    optional('transactionStatusReason', digits(2, 2)),
  ]),
);

/** Spec 2.8: exemption requests, for either message. */
export const THREE_D_SECURE_EXEMPTION_PARAMETERS = echoed(
  under('threeDSecure.', [
    optional('challengeIndicator', twoDigits(1, 9)),
    optional('exemptionFlag', twoDigits(1, 4)),
  ]),
);

/** Spec 2.8: data for the domestic french scheme. */
export const THREE_D_SECURE_SCHEME_PARAMETERS = under('threeDSecure.', [
  optional('schemeData[CB-ITEMSNB]', digits(2, 2)),
  optional('schemeData[CB-SCORE_MERCHANT]', text(1, 20)),
  conditional('schemeData[CB-USECASE]', digits(2, 2), 'domestic-french-scheme'),
]);
