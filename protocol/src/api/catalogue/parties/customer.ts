import { BOOLEAN, characters, DATE, digits, oneOf, phone, text } from '../rows/format.js';
import { allOptional, conditional, echoed, optional, under } from '../rows/parameter.js';

const PERSON = [
  optional('merchantCustomerId', text(1, 255)),
  conditional('givenName', text(0, 50), 'any-customer'),
  conditional('surname', text(0, 50), 'any-customer'),
  optional('middleName', text(2, 50)),
  optional('sex', oneOf('M', 'F')),
  optional('birthDate', DATE),
  optional('phone', phone(1, 25)),
  optional('mobile', phone(1, 25)),
  optional('workPhone', text(1, 25)),
  optional('email', text(6, 128)),
  optional('companyName', text(1, 60)),
  conditional('identificationDocType', oneOf('IDCARD', 'PASSPORT', 'TAXSTATEMENT'), 'document-id'),
  conditional('identificationDocId', text(8, 64), 'document-type', { sensitive: true }),
  optional('ip', text(1, 255)),
  optional('merchantReference', text(0, 255)),
  optional('salutation', oneOf('MR', 'MRS', 'MS', 'MX')),
  optional('language', characters('A-Z', 2, 2)),
  optional('category', oneOf('INDIVIDUAL', 'COMPANY')),
  optional('status', oneOf('NEW', 'EXISTING')),
] as const;

const BROWSER = [
  conditional('browser.acceptHeader', text(1, 2048), 'three-d-secure-2'),
  conditional('browser.language', text(1, 8), 'three-d-secure-2'),
  conditional('browser.screenHeight', text(1, 6), 'three-d-secure-2'),
  conditional('browser.screenWidth', text(1, 6), 'three-d-secure-2'),
  conditional('browser.timezone', text(1, 5), 'three-d-secure-2'),
  conditional('browser.userAgent', text(1, 2048), 'three-d-secure-2'),
  conditional('browser.javaEnabled', BOOLEAN, 'three-d-secure-2'),
  optional('browser.screenColorDepth', digits(1, 2)),
  optional('browser.challengeWindow', digits(1, 1)),
] as const;

const DEVICE = [
  optional('browserFingerprint.id', text(1, 255)),
  optional('browserFingerprint.value', text(1, 4096)),
  optional('browser.deviceId', text(1, 32)),
  optional('app.deviceId', text(1, 40)),
] as const;

/** Spec 2.4: customer.*. */
export const CUSTOMER_PARAMETERS = [
  ...echoed(under('customer.', PERSON)),
  ...echoed(under('customer.', BROWSER)),
  ...echoed(under('customer.', DEVICE)),
] as const;

/** Spec 2.4: shipping.customer.* repeats customer.* without the device's fields, all optional. */
export const SHIPPING_CUSTOMER_PARAMETERS = echoed(
  under('shipping.customer.', allOptional([...PERSON, ...BROWSER])),
);
