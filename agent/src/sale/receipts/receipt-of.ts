import { present } from '@tillbridge/wire/present.js';
import {
  amountOf,
  approvedAmount,
  cashBackOf,
  type SaleState,
  tipOf,
  wasPartlyApproved,
} from '../machine/state/sale-state.js';
import { isLateDecline } from '../machine/steps/late-decline.js';
import { transactionSequenceNumber } from '../records/bridge-messages.js';
import type { ReceiptData } from './receipt-data.js';
import { approvalCodeOf, verdictOf } from './receipt-verdict.js';

/**
 * The content of the receipts of a sale; `undefined` before its end, for one without a card, and when the journal has forgotten its card.
 * An approval without the gateway is marked as such, and one without a cryptogram of the card bears no approval code
 * (agent/docs/receipts.md).
 */
export function receiptOf(state: SaleState): ReceiptData | undefined {
  const { answer, card, emv, outcome, request } = state;
  if (state.compacted || state.phase !== 'done' || (!card && !answer)) return undefined;
  const brand = answer?.brand;
  const approvalCode = approvalCodeOf(state);
  return {
    type: request.type,
    atMs: state.acceptedAtMs,
    terminalId: state.terminalId,
    ...(request.till !== undefined && { till: request.till }),
    sequence: transactionSequenceNumber(state),
    reference: state.reference,
    ...(wasPartlyApproved(state)
      ? { amount: approvedAmount(state), requested: amountOf(state) }
      : { amount: amountOf(state), ...present({ tip: tipOf(state) }) }),
    ...(card?.last4Digits && { last4Digits: card.last4Digits }),
    ...(brand && { brand }),
    ...(card && { entryMode: card.entryMode }),
    ...(emv && { emv }),
    verdict: verdictOf(state),
    ...(approvalCode !== undefined && { approvalCode }),
    ...(outcome === 'approved' && reportedAmounts(state)),
    isLateDecline: isLateDecline(state),
    ...(answer?.resultCode && { resultCode: answer.resultCode }),
    ...(answer?.paymentId && { paymentId: answer.paymentId }),
    signature: outcome === 'approved' && signatureWanted(state),
  };
}

/** What the issuer reports with its decision; a decline has no balance, and a card that declined in the end got no cash. */
function reportedAmounts(state: SaleState): Pick<ReceiptData, 'availableBalance' | 'cashBack'> {
  const { answer } = state;
  const cashBack = answer?.cashBack ?? cashBackOf(state);
  return present({ availableBalance: answer?.availableBalance, cashBack });
}

/** CVM codes that ask for a signature on paper (EMV Book 3 Annex C3), the "apply next" bit aside. */
const SIGNATURE_CODES: ReadonlySet<number> = new Set([0x03, 0x05, 0x1e]);

function signatureWanted({ emv: data }: SaleState): boolean {
  return data?.cvm !== undefined && SIGNATURE_CODES.has(Number.parseInt(data.cvm.slice(0, 2), 16) & 0x3f);
}
