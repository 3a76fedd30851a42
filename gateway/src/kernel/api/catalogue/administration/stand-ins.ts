import { characters, integer, oneOf } from '../rows/format.js';
import { optional } from '../rows/parameter.js';

/** An addition of ours: what a list of payments that the gateway approved by itself may be limited to. */
export const STAND_IN_LIST_PARAMETERS = [
  optional('entityId', characters('0-9a-f', 32, 32)),
  optional('state', oneOf('waiting', 'answered', 'reversed')),
  optional('limit', integer(1, 500)),
  optional('after', characters('0-9a-f', 32, 32)),
] as const;
