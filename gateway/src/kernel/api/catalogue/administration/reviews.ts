import { characters, text } from '../rows/format.js';
import { optional } from '../rows/parameter.js';

const ENTITY = optional('entityId', characters('0-9a-f', 32, 32));

/** An addition of ours: whose payments that wait for a person are listed. */
export const REVIEW_LIST_PARAMETERS = [ENTITY] as const;

/** An addition of ours: the word on a payment that waits for a person. */
export const REVIEW_DECISION_PARAMETERS = [ENTITY, optional('note', text(1, 500))] as const;
