import { characters, oneOf } from '../rows/format.js';
import { optional } from '../rows/parameter.js';

const ENTITY = optional('entityId', characters('0-9a-f', 32, 32));

/** An addition of ours: whose agent is meant. */
export const AGENT_PARAMETERS = [ENTITY] as const;

/** An addition of ours: commands to an agent. */
export const AGENT_COMMAND_PARAMETERS = [
  ENTITY,
  optional('action', oneOf('ping', 'flush', 'status', 'cancel-sale')),
  optional('reference', characters('\\x21-\\x7e', 1, 64)),
] as const;
