import { BOOLEAN, characters, integer, oneOf, pattern, text, URL_6_TO_2048 } from '../rows/format.js';
import { optional } from '../rows/parameter.js';

/** Parts of a billing address, in a list parted by commas; `all`: each of them. */
const BILLING = text(1, 200);

/** A colour of CSS by its red, green and blue in hex. */
const COLOR = pattern('#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})', {
  valid: ['#fff', '#0dcaf0'],
  invalid: ['red', '#ffff', 'fff', '#0dcaf0;'],
});
/** A number of pixels, with its unit or without. */
const PIXELS = pattern('[1-9][0-9]{0,3}(px)?', { valid: ['1', '317px'], invalid: ['0', '50%', '1.5px'] });

/** Parameters of a payment link in addition to those of its purchase, an addition (docs/pay-by-link.md). */
export const PAY_BY_LINK_PARAMETERS = [
  optional('validUntil', integer(1, 8_760)),
  optional('validUntilUnit', oneOf('HOUR', 'DAY')),
  optional('collectBilling', BILLING),
  optional('mandatoryBilling', BILLING),
  optional('createQRCode', BOOLEAN),
  optional('termsAndConditionsUrl', URL_6_TO_2048),
  optional('privacyPolicyUrl', URL_6_TO_2048),
  optional('wpwlOptions', text(2, 2_048)),
  optional('layout.logo', URL_6_TO_2048),
  optional('layout.logoWidth', PIXELS),
  optional('layout.logoHeight', PIXELS),
  optional('layout.backgroundImage', URL_6_TO_2048),
  optional('layout.merchantNameColor', COLOR),
  optional('layout.amountColor', COLOR),
  optional('layout.payButtonColor', COLOR),
  optional('layout.payButtonTextColor', COLOR),
] as const;

/** Parameters of a text message with a payment link. */
export const PAY_BY_LINK_SMS_PARAMETERS = [
  optional('entityId', characters('0-9a-f', 32, 32)),
  optional('from', text(1, 20)),
  optional('smsTo', text(1, 25)),
] as const;
