import {
  alphanumeric,
  COUNTRY,
  characters,
  DATE,
  oneOf,
  PRICE,
  pattern,
  phone,
  text,
} from '../rows/format.js';
import { allOptional, conditional, echoed, optional, under } from '../rows/parameter.js';

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
