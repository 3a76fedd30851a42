import { characters } from '../rows/format.js';
import { optional, type Parameter } from '../rows/parameter.js';

const REGISTRATION_ID = characters('0-9a-f', 32, 32);

/** Reference §2.1, §2.3: where stored payment details are meant. The specification names them in answers alone. */
export const STORED_PARAMETERS = [
  optional('registrations[n].id', REGISTRATION_ID, { operations: ['checkout-create', 'checkout-update'] }),
  optional('registration.id', REGISTRATION_ID, { operations: ['checkout-payment', 'registration-payment'] }),
  optional('registrationId', REGISTRATION_ID, { operations: ['checkout-payment'] }),
] as const satisfies readonly Parameter[];
