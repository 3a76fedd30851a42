import { BOOLEAN } from './rows/format.js';
import { optional } from './rows/parameter.js';

/** Spec 2.7: storing payment details, and using what is stored. */
export const REGISTRATION_PARAMETERS = [
  optional('createRegistration', BOOLEAN),
  optional('overrideHolder', BOOLEAN),
] as const;
