import { alphanumeric, COUNTRY_UPPERCASE, characters, phone, text } from '../rows/format.js';
import { allOptional, conditional, echoed, optional, under } from '../rows/parameter.js';

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
