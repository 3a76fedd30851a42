import type { Money } from '@tillbridge/wire/payment/money.js';
import type { StartRequest } from '../../drivers/core/driver.js';
import { transactionTime } from '../runtime/effects.js';

/** No card that is only read decides anything. */
const NO_RISK = {
  floorLimitMinor: 0,
  randomSelectionThresholdMinor: 0,
  randomSelectionTargetPercent: 0,
  randomSelectionMaxPercent: 0,
};

/** The request to a terminal for a card that is read without a payment. */
export function cardRequest(
  amount: Money,
  nowMs: number,
  { timeZone, cardTimeoutMs }: { readonly timeZone: string; readonly cardTimeoutMs: number },
): StartRequest {
  return {
    kind: 'sale',
    amount,
    ...transactionTime(nowMs, timeZone),
    transactionSequenceNumber: 0,
    risk: NO_RISK,
    cardTimeoutMs,
  };
}
