import { characters, integer, oneOf, text } from '../rows/format.js';
import { optional } from '../rows/parameter.js';

const ENTITY = optional('entityId', characters('0-9a-f', 32, 32));

/** An addition of ours: what a list of alerts may be limited to. */
export const ALERT_LIST_PARAMETERS = [
  ENTITY,
  optional('state', oneOf('open', 'acknowledged', 'cleared')),
  optional('limit', integer(1, 500)),
  optional('after', characters('0-9a-f', 32, 32)),
] as const;

/** An addition of ours: the acknowledgement of an alert. */
export const ALERT_ACKNOWLEDGEMENT_PARAMETERS = [ENTITY, optional('note', text(1, 500))] as const;
