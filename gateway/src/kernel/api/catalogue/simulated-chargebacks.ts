import { isChargebackReason } from '@tillbridge/wire/payment/chargeback-reasons.js';
import { AMOUNT, characters, text } from './rows/format.js';
import { optional } from './rows/parameter.js';

/** An addition of ours, test mode only: a payment that is to be charged back, or a chargeback that is to be reversed. */
export const SIMULATED_CHARGEBACK_PARAMETERS = [
  optional('entityId', characters('0-9a-f', 32, 32)),
  optional('amount', AMOUNT),
  optional('reason', text(1, 11)),
] as const;

/** What is wrong with a reason; undefined for a good one. */
export function chargebackReasonFault(reason: string): string | undefined {
  return isChargebackReason(reason)
    ? undefined
    : 'must be a reason of a card scheme such as 10.4 or 4837, of a bank such as AC04, or a code such as 000.100.220';
}
