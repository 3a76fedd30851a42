import { CARD_PARAMETERS } from '../methods/card.js';
import { characters } from '../rows/format.js';
import { allOptional, optional, type Parameter } from '../rows/parameter.js';
import { TEST_MODE } from '../rows/test-mode.js';

/** What of a stored card may be changed: never its number. */
const CHANGED: readonly string[] = ['card.expiryMonth', 'card.expiryYear', 'card.holder'];

/** Reference §2.3: the change of a registration. */
export const REGISTRATION_CHANGE_PARAMETERS: readonly Parameter[] = [
  optional('entityId', characters('0-9a-f', 32, 32)),
  TEST_MODE,
  ...allOptional(CARD_PARAMETERS.filter(({ name }) => CHANGED.includes(name))),
];
