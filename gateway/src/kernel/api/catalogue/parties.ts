import {
  alphanumeric,
  BOOLEAN,
  COUNTRY,
  COUNTRY_ALPHA_3,
  COUNTRY_UPPERCASE,
  characters,
  DATE,
  digits,
  MAP_KEY,
  oneOf,
  PRICE,
  pattern,
  phone,
  text,
  twoDigits,
} from './rows/format.js';
import { allOptional, conditional, echoed, optional, under } from './rows/parameter.js';

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

const ADDRESS = [
  conditional('street1', text(1, 100), 'three-d-secure-2'),
  conditional('street2', text(1, 100), 'street-not-digits'),
  optional('houseNumber1', text(1, 100)),
  optional('houseNumber2', text(1, 100)),
  conditional('city', text(1, 80), 'three-d-secure-2'),
  conditional('state', characters('\\p{L}0-9.', 1, 50), 'not-stated'),
  conditional('postcode', alphanumeric(1, 16), 'three-d-secure-2'),
  conditional('country', COUNTRY_UPPERCASE, 'three-d-secure-2'),
  optional('normalized', text(1, 255)),
  optional('validationStatus', text(1, 255)),
] as const;

const CONTACT = [
  optional('givenName', text(1, 255)),
  optional('surname', text(1, 255)),
  optional('middleName', text(1, 255)),
  optional('companyName', text(1, 60)),
  optional('phone', text(1, 25)),
  optional('workPhone', text(1, 25)),
  optional('mobile', phone(6, 26)),
  optional('email', text(6, 128)),
] as const;

/** Spec 2.4: billing.*. */
export const BILLING_PARAMETERS = echoed(under('billing.', ADDRESS));

/** Spec 2.4: merchant.billing.* repeats billing.*, all optional, and adds the contact. */
export const MERCHANT_BILLING_PARAMETERS = [
  ...echoed(under('merchant.billing.', allOptional(ADDRESS))),
  ...echoed(under('merchant.billing.', CONTACT)),
] as const;

/** Letters of any script; the words of a name may be parted by a blank, a hyphen, an apostrophe or a dot. */
const CITY = pattern("\\p{L}[\\p{L}\\p{M} .'’-]{0,79}", {
  valid: ['A', 'Zürich', "L'Île-de-la Cité", 'a'.repeat(80)],
  invalid: ['a'.repeat(81), '12345', 'City 1', '-', '!'],
});

const SHIPPING = [
  conditional('street1', text(1, 100), 'not-stated'),
  conditional('street2', text(1, 100), 'not-stated'),
  optional('houseNumber1', text(1, 100)),
  optional('houseNumber2', text(1, 100)),
  conditional('city', CITY, 'not-stated'),
  conditional('state', characters('\\p{L}0-9.', 1, 50), 'not-stated'),
  conditional('postcode', alphanumeric(1, 16), 'not-stated'),
  conditional('country', COUNTRY, 'not-stated'),
  conditional(
    'method',
    oneOf(
      'CARRIER_DESIGNATED_BY_CUSTOMER',
      'ELECTRONIC_DELIVERY',
      'EXPEDITED',
      'GROUND',
      'INTERNATIONAL',
      'LOWEST_COST',
      'MILITARY',
      'NEXT_DAY_OVERNIGHT',
      'OTHER',
      'POINT_PICKUP',
      'PUDO',
      'SAME_DAY_SERVICE',
      'STORE_PICKUP',
      'THREE_DAY_SERVICE',
      'TWO_DAY_SERVICE',
    ),
    'not-stated',
  ),
  conditional('cost', PRICE, 'not-stated'),
  conditional('comment', text(1, 160), 'not-stated'),
  optional('expectedDate', DATE),
  optional('logisticsProvider', text(1, 255)),
  optional('trackingNumber', text(1, 255)),
  optional('returnTrackingNumber', text(1, 255)),
  optional('normalized', text(1, 255)),
  optional('validationStatus', text(1, 255)),
  optional('warehouse', text(1, 100)),
  optional('preference', oneOf('GET_FROM_FILE', 'NO_SHIPPING', 'SET_PROVIDED_ADDRESS')),
  optional('middleName', text(1, 255)),
  optional('companyName', text(1, 60)),
  optional('phone', phone(6, 26)),
  optional('mobile', phone(6, 26)),
  optional('workPhone', text(1, 25)),
  optional('email', text(6, 128)),
  optional('type', oneOf('RETURN', 'SHIPMENT')),
] as const;

/** Spec 2.4: shipping.*. */
export const SHIPPING_PARAMETERS = echoed(under('shipping.', SHIPPING));

/** Spec 2.4: merchant.shipping.* repeats shipping.*, all optional. */
export const MERCHANT_SHIPPING_PARAMETERS = echoed(under('merchant.shipping.', allOptional(SHIPPING)));

/** Spec 2.4: corporate.*. */
export const CORPORATE_PARAMETERS = echoed(
  under('corporate.', [
    optional('name', text(1, 30)),
    optional('description', text(1, 160)),
    optional('street', text(1, 100)),
    optional('address', text(1, 100)),
    optional('city', text(1, 80)),
    optional('state', text(1, 50)),
    optional('postCode', text(1, 16)),
    optional('suite', text(1, 30)),
    optional('postboxNumber', text(1, 15)),
    optional('purchase', oneOf('Y', 'N')),
    optional('phone', digits(1, 25)),
    optional('fax', digits(1, 25)),
    optional('vatId', text(0, 255)),
  ]),
);

/** Account and address of either side of a transfer. */
const ACCOUNT = [
  optional('accountNumber', text(0, 32), { sensitive: true }),
  optional('street', text(0, 100)),
  optional('city', text(0, 50)),
  optional('state', text(0, 50)),
  optional('country', COUNTRY_ALPHA_3),
  optional('postcode', text(1, 30)),
] as const;

/** Spec 2.4: sender.*, who pays into a transfer. */
export const SENDER_PARAMETERS = echoed(
  under('sender.', [
    optional('name', text(0, 100)),
    optional('givenName', text(0, 50)),
    optional('middleName', text(0, 50)),
    optional('surname', text(0, 50)),
    optional('birthDate', DATE),
    ...ACCOUNT,
    optional(
      'accountNumberType',
      oneOf('OTHER', 'RTN_AND_BANK_ACCOUNT', 'IBAN', 'IBAN_AND_BIC', 'CARD_ACCOUNT'),
    ),
    optional('sourceOfFunds', twoDigits(1, 9)),
  ]),
);

/** Spec 2.4: recipient.*, who is paid by a transfer. BAN_AND_BIC stands as the specification has it. */
export const RECIPIENT_PARAMETERS = echoed(
  under('recipient.', [
    optional('givenName', text(0, 48)),
    optional('middleName', text(0, 48)),
    optional('surname', text(0, 48)),
    optional('birthDate', DATE),
    optional('phone', phone(7, 25)),
    ...ACCOUNT,
    optional(
      'accountNumberType',
      oneOf(
        'OTHER',
        'RTN_AND_BANK_ACCOUNT',
        'IBAN',
        'PHONE_NUMBER',
        'BAN_AND_BIC',
        'IBAN_AND_BIC',
        'WALLET_ID',
        'SOCIAL_NETWORK_ID',
      ),
    ),
  ]),
);

const SERVICE_PHONE = characters('A-Za-z0-9+.-', 0, 25);

/** Spec 2.5: merchant.*, what overrides the merchant's data on the statement. */
export const MERCHANT_PARAMETERS = echoed(
  under('merchant.', [
    optional('name', text(1, 100)),
    optional('mcc', alphanumeric(0, 4)),
    optional('street', text(1, 100)),
    optional('city', text(1, 100)),
    optional('state', alphanumeric(1, 50)),
    optional('countryCode', digits(3, 3)),
    optional('country', COUNTRY),
    optional('postcode', characters('A-Za-z0-9-', 1, 16)),
    optional('geographicCoordinates', text(1, 20)),
    optional('serviceLocationCity', text(1, 100)),
    optional('serviceLocationState', text(1, 50)),
    optional('serviceLocationCountryCode', text(0, 3)),
    optional('serviceLocationPostCode', text(1, 16)),
    optional('serviceLocationGeographicCoordinates', text(1, 20)),
    optional('additionalContact', text(1, 255)),
    optional('phone', SERVICE_PHONE),
    optional('customerContactPhone', SERVICE_PHONE),
    optional('websiteId', text(0, 255)),
    optional('url', text(1, 255)),
    optional('partnerIdCode', text(1, 60)),
    optional('isoId', text(1, 255)),
    optional('payFacId', text(1, 255)),
    optional('payFacName', text(1, 255)),
    optional('marketplaceId', text(1, 255)),
    optional('submerchantId', text(1, 100)),
    optional('taxId', text(1, 60)),
    optional('data[key]', text(0, 2048), { key: MAP_KEY }),
    optional('foreignRetailIndicator', text(1, 25)),
    optional('legalName', text(1, 100)),
    optional('app.schemeUrl', text(1, 255)),
  ]),
);

/** Spec 2.6: marketPlace.sellers[n].*; a seller's items are the cart items with its id. */
export const MARKETPLACE_PARAMETERS = echoed(
  under('marketPlace.sellers[n].', [optional('id', text(1, 255)), optional('amount', PRICE)]),
);
