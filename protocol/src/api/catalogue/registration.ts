import { BOOLEAN } from './format.js';
import { optional } from './parameter.js';

/** Spec 2.7: storing payment details, and using what is stored. */
export const REGISTRATION_PARAMETERS = [
  optional('createRegistration', BOOLEAN),
  optional('overrideHolder', BOOLEAN),
] as const;
