import { characters } from './rows/format.js';
import { optional } from './rows/parameter.js';

/** An addition of ours, test mode only: the transfer of a payment is to come in. */
export const SIMULATED_RECEIPT_PARAMETERS = [optional('entityId', characters('0-9a-f', 32, 32))] as const;
