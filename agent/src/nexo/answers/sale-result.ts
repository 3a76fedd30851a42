import type { SaleAnswer, SaleOutcome } from '../../sale/machine/state/answer.js';
import type { SaleReason } from '../../sale/machine/state/facts.js';
import { type ErrorCondition, failure, type NexoResponse, success } from '../messages/response.js';

/** What a sale without an approval is called, by why it ended. */
const CONDITIONS: Readonly<Partial<Record<SaleReason, ErrorCondition>>> = {
  'cancelled-by-till': 'Aborted',
  'agent-restarted': 'Aborted',
  'cancelled-by-cardholder': 'Cancel',
  'card-timeout': 'Cancel',
  'reversed-by-till': 'Cancel',
  'terminal-failed': 'DeviceOut',
  'gateway-unreachable': 'UnreachableHost',
  'offline-not-allowed': 'UnreachableHost',
  'no-answer': 'UnreachableHost',
  'journal-unavailable': 'UnavailableService',
};

/** The same by how it ended, where the reason gives no other. */
const CONDITION_OF_OUTCOME: Readonly<Record<Exclude<SaleOutcome, 'approved'>, ErrorCondition>> = {
  declined: 'Refusal',
  cancelled: 'Cancel',
  reversed: 'Refusal',
  expired: 'Refusal',
  failed: 'Refusal',
};

/** Whether the sale has no outcome yet. */
export function isUnderWay({ state, outcome }: SaleAnswer): boolean {
  return outcome === null || (state !== 'done' && state !== 'parked');
}

/** How a payment ended, with its additional data. */
export function paymentResult(answer: SaleAnswer): NexoResponse {
  const { outcome, cashierText, approvedAmount } = answer;
  if (outcome === null || isUnderWay(answer)) return failure('InProgress', cashierText, pairsOf(answer));
  if (outcome === 'approved') {
    const result = approvedAmount === undefined ? 'Success' : 'Partial';
    return success({ message: cashierText, ...pairsOf(answer) }, result);
  }
  const reason = endReason(answer);
  const condition = (reason && CONDITIONS[reason]) ?? CONDITION_OF_OUTCOME[outcome];
  return failure(condition, cashierText, { refusalReason: reason, ...pairsOf(answer) });
}

/** How a reversal of the sale ended. */
export function reversalResult(answer: SaleAnswer): NexoResponse {
  const { outcome, cashierText } = answer;
  if (isUnderWay(answer)) return failure('InProgress', cashierText);
  return outcome === 'reversed' ? success({ message: cashierText }) : failure('Refusal', cashierText);
}

/** Whether a till has requested a reversal of the sale. */
export function wasReversalRequested({ timeline }: SaleAnswer): boolean {
  return timeline.some(
    ({ step, detail }) => step === 'reversal' && detail === ('reversed-by-till' satisfies SaleReason),
  );
}

/** Why it ended: the last word of its timeline. */
function endReason({ timeline, outcome }: SaleAnswer): SaleReason | undefined {
  const end = timeline.findLast(({ step }) => step === outcome);
  return end?.detail?.split(':')[0] as SaleReason | undefined;
}

function pairsOf(answer: SaleAnswer) {
  const { reference, terminalId, resultCode, paymentId, card, emv, mode } = answer;
  return {
    merchantReference: reference,
    tid: terminalId,
    resultCode,
    pspReference: paymentId,
    cardBin: card?.bin,
    cardSummary: card?.last4Digits,
    paymentMethod: card?.brand?.toLowerCase(),
    posEntryMode: card?.entryMode,
    AID: emv?.aid,
    applicationLabel: emv?.label,
    cardHolderVerificationMethodResults: emv?.cvm,
    offline: mode === null || mode === 'online' ? undefined : mode,
  };
}
