import { Type } from '../../schema/type.js';
import type { Meaning } from './setting.js';

/** A whole number within bounds. */
export function wholeNumber(minimum: number, maximum: number, meaning: Meaning, what = 'a whole number') {
  return Type.Integer({ minimum, maximum, expected: `${what} from ${minimum} to ${maximum}`, ...meaning });
}

/** A time in milliseconds. */
export function milliseconds(minimum: number, maximum: number, meaning: Meaning) {
  return wholeNumber(minimum, maximum, meaning, 'milliseconds');
}
