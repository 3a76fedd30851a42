import { COUNTRY_ALPHA_3, DATE, oneOf, text, twoDigits } from '../rows/format.js';
import { echoed, optional, under } from '../rows/parameter.js';

/** Spec 2.4: sender.*, who pays into a transfer. */
export const SENDER_PARAMETERS = echoed(
  under('sender.', [
    optional('name', text(0, 100)),
    optional('givenName', text(0, 50)),
    optional('middleName', text(0, 50)),
    optional('surname', text(0, 50)),
    optional('birthDate', DATE),
    optional('accountNumber', text(0, 32), { sensitive: true }),
    optional('street', text(0, 100)),
    optional('city', text(0, 50)),
    optional('state', text(0, 50)),
    optional('country', COUNTRY_ALPHA_3),
    optional('postcode', text(1, 30)),
    optional(
      'accountNumberType',
      oneOf('OTHER', 'RTN_AND_BANK_ACCOUNT', 'IBAN', 'IBAN_AND_BIC', 'CARD_ACCOUNT'),
    ),
    optional('sourceOfFunds', twoDigits(1, 9)),
  ]),
);
