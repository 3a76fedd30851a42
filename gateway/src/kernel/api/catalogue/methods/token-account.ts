import { characters, digits, EXPIRY_MONTH, EXPIRY_YEAR, oneOf } from '../rows/format.js';
import { conditional, optional, required } from '../rows/parameter.js';

/** Spec 2.3: tokenAccount.*. */
export const TOKEN_ACCOUNT_PARAMETERS = [
  required('tokenAccount.number', digits(12, 19), { sensitive: true }),
  required('tokenAccount.type', oneOf('EXTERNAL', 'NETWORK'), { echoed: true }),
  optional('tokenAccount.expiryMonth', EXPIRY_MONTH, { echoed: true }),
  optional('tokenAccount.expiryYear', EXPIRY_YEAR, { echoed: true }),
  conditional('tokenAccount.cryptogram', characters('A-Za-z0-9+/=', 28, 32), 'not-stated', {
    sensitive: true,
  }),
  conditional('tokenAccount.dtvc', digits(3, 4), 'not-stated', { sensitive: true }),
] as const;
