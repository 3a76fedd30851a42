import { characters } from './rows/format.js';
import { optional } from './rows/parameter.js';

/** An addition of ours, test mode only: whose shop is called with a result. */
export const RESULT_CALL_PARAMETERS = [optional('entityId', characters('0-9a-f', 32, 32))] as const;
