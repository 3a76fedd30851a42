import { alphanumeric, COUNTRY, characters, digits, MAP_KEY, text } from '../rows/format.js';
import { echoed, optional, under } from '../rows/parameter.js';

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
