import { BOOLEAN, characters, integer, oneOf, text, URL_6_TO_2048 } from '../rows/format.js';
import { optional } from '../rows/parameter.js';

/** Parts of a billing address, in a list parted by commas; `all`: each of them. */
const BILLING = text(1, 200);

/** Parameters of a payment link beside those of its purchase, an addition (reference §2.7). */
export const PAY_BY_LINK_PARAMETERS = [
  optional('validUntil', integer(1, 8_760)),
  optional('validUntilUnit', oneOf('HOUR', 'DAY')),
  optional('collectBilling', BILLING),
  optional('mandatoryBilling', BILLING),
  optional('createQRCode', BOOLEAN),
  optional('termsAndConditionsUrl', URL_6_TO_2048),
  optional('privacyPolicyUrl', URL_6_TO_2048),
  optional('wpwlOptions', text(2, 2_048)),
] as const;

/** Parameters of a text message with a payment link. */
export const PAY_BY_LINK_SMS_PARAMETERS = [
  optional('entityId', characters('0-9a-f', 32, 32)),
  optional('from', text(1, 20)),
  optional('smsTo', text(1, 25)),
] as const;
