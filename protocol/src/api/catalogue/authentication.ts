import { type Parameter, pattern } from './parameter.js';

/** Spec 2.2: authentication. The Authorization header is no parameter of the body. */
export const AUTHENTICATION_PARAMETERS: readonly Parameter[] = [
  { name: 'entityId', format: pattern('[0-9a-f]{32}'), required: 'R' },
];
