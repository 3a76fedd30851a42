import { type Meaning, wholeNumber } from '../schema/fields.js';

/** A time in milliseconds. */
export function milliseconds(minimum: number, maximum: number, meaning: Meaning) {
  return wholeNumber(minimum, maximum, meaning, 'milliseconds');
}
