import { BOOLEAN, CURRENCY, DATE, digits, type Format, oneOf, PRICE, pattern, text } from './rows/format.js';
import { conditional, echoed, optional, under } from './rows/parameter.js';

const QUANTITY = pattern('\\d{1,12}(\\.\\d{1,3})?', {
  valid: ['0', '1.5', '999999999999.999'],
  invalid: ['1234567890123', '1.', '1.0001', '-1', '1,5'],
});
const PERCENTAGE = pattern('(100(\\.0{1,2})?|\\d{1,2}(\\.\\d{1,2})?)', {
  valid: ['0', '7.7', '19.00', '100', '100.00'],
  invalid: ['100.01', '101', '19.001', '-1', '19%', '7,7'],
});
const WEB_ADDRESS: Format = { kind: 'url', min: 1, max: 2048 };

const RECIPIENT = [
  optional('salutation', text(1, 5)),
  optional('firstName', text(1, 48)),
  optional('lastName', text(1, 48)),
  optional('middleName', text(1, 50)),
  optional('apartment', text(1, 100)),
  optional('street', text(1, 100)),
  optional('address', text(1, 100)),
  optional('city', text(1, 80)),
  optional('state', text(1, 50)),
  optional('postcode', text(1, 16)),
  optional(
    'country',
    pattern('([A-Za-z]{2}|\\d{3})', { valid: ['DE', '276'], invalid: ['D', 'DEU', '27', '2766', 'D1'] }),
  ),
  optional('phone', digits(1, 25)),
  optional('email', text(1, 128)),
] as const;

/** Spec 2.6: cart.items[n].*. */
export const CART_ITEM_PARAMETERS = echoed(
  under('cart.items[n].', [
    conditional('name', text(1, 255), 'not-stated'),
    conditional('merchantItemId', text(1, 255), 'not-stated'),
    conditional('quantity', QUANTITY, 'not-stated'),
    conditional(
      'type',
      oneOf('PHYSICAL', 'DIGITAL', 'MIXED', 'ANONYMOUS_DONATION', 'AUTHORITIES_PAYMENT'),
      'not-stated',
    ),
    optional('sku', text(1, 255)),
    conditional('currency', CURRENCY, 'not-stated'),
    conditional('description', text(1, 2048), 'not-stated'),
    optional('commodityCode', digits(8, 8)),
    optional('commodityDescription', text(0, 50)),
    optional('originalPrice', text(1, 255)),
    conditional('price', PRICE, 'not-stated'),
    conditional('totalAmount', PRICE, 'not-stated'),
    conditional('taxAmount', PRICE, 'not-stated'),
    conditional('totalTaxAmount', PRICE, 'not-stated'),
    conditional('tax', PERCENTAGE, 'not-stated'),
    conditional('taxCategory', oneOf('AA', 'S', 'E', 'Z'), 'not-stated'),
    conditional('shipping', PRICE, 'not-stated'),
    conditional('discount', PRICE, 'not-stated'),
    optional('totalDiscountAmount', PRICE),
    optional('giftMessage', text(1, 255)),
    optional('shippingMethod', text(1, 255)),
    optional('shippingInstructions', text(1, 255)),
    optional('shippingTrackingNumber', text(1, 255)),
    optional('quantityUnit', oneOf('M', 'CM', 'KG', 'G', 'COUNT')),
    optional('productUrl', WEB_ADDRESS),
    optional('imageUrl', WEB_ADDRESS),
    optional('productCode', text(1, 30)),
    optional('partNumber', text(1, 30)),
    optional('vatReferenceNumber', text(1, 30)),
    optional('itemNumber', text(1, 999)),
    optional('sellerId', text(1, 255)),
    optional('deliveryDate', DATE),
    ...under('recipient.', RECIPIENT),
  ]),
);

/** Spec 2.6: cart.payments[n].*, payments that were made already. */
export const CART_PAYMENT_PARAMETERS = echoed(
  under('cart.payments[n].', [
    optional('name', text(1, 255)),
    optional('type', oneOf('GIFTCARD', 'PROMOTION')),
    optional('amount', PRICE),
    optional('currency', CURRENCY),
    optional('status', oneOf('pending', 'authorized', 'captured')),
    optional('brand', text(1, 255)),
    optional('primary', BOOLEAN),
  ]),
);
