import { COUNTRY_ALPHA_3, DATE, oneOf, phone, text } from '../rows/format.js';
import { echoed, optional, under } from '../rows/parameter.js';

/** Spec 2.4: recipient.*, who is paid by a transfer. BAN_AND_BIC stands as the specification has it. */
export const RECIPIENT_PARAMETERS = echoed(
  under('recipient.', [
    optional('givenName', text(0, 48)),
    optional('middleName', text(0, 48)),
    optional('surname', text(0, 48)),
    optional('birthDate', DATE),
    optional('phone', phone(7, 25)),
    optional('accountNumber', text(0, 32), { sensitive: true }),
    optional('street', text(0, 100)),
    optional('city', text(0, 50)),
    optional('state', text(0, 50)),
    optional('country', COUNTRY_ALPHA_3),
    optional('postcode', text(1, 30)),
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
