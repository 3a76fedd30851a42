import { oneOf } from './format.js';
import { optional } from './parameter.js';

/** Spec 2.1: the test mode. Clients of the API family send it with every request, so reads, changes and reports take it too. */
export const TEST_MODE = optional('testMode', oneOf('EXTERNAL', 'INTERNAL'));
