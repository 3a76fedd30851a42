import type { Decision, Sale, StepContext } from '../state/events.js';
import { amountOf, type SaleState } from '../state/sale-state.js';
import { ended } from './common.js';

/** An approval code that the issuer gives on the phone: two to six letters or digits (ISO 8583 field 38). */
export const APPROVAL_CODE = /^[0-9A-Za-z]{2,6}$/;

/**
 * A referral that ended in a call: the issuer has approved and named a code. The sale is approved from the moment that the code is on
 * disk, as with every voice authorization; the gateway records it with the code, and declines it later if the issuer does not know the code.
 */
export function voiceApproved(
  { state }: Sale,
  { approvalCode }: { readonly approvalCode: string },
  context: StepContext,
): Decision {
  const { messageId: originalMessageId } = state;
  if (voiceRefusal(state, context) !== undefined || originalMessageId === undefined) return {};
  const [messageId] = context.ids;
  const amount = amountOf(state);
  return {
    facts: [
      { kind: 'voice-authorization', messageId, originalMessageId, approvalCode, amount },
      ended('approved', 'online', 'approved-by-voice'),
    ],
  };
}

/** Why an approval code is not taken, as a text for the till; `undefined` when it is. */
export function voiceRefusal(
  state: SaleState,
  { nowMs, policy }: Pick<StepContext, 'nowMs' | 'policy'>,
): string | undefined {
  const { request, outcome, reason, phase, acceptedAtMs } = state;
  const open = reason === 'referral' || reason === 'voice-code-refused';
  if (phase !== 'done' || outcome !== 'declined' || !open) {
    return 'the issuer did not ask for a call, so there is no approval code to enter';
  }
  if (request.type === 'refund') return 'a refund cannot be approved on the phone';
  const hours = Math.floor(policy.voiceCodeWindowMs / 3_600_000);
  return nowMs - acceptedAtMs > policy.voiceCodeWindowMs
    ? `it is more than ${hours} hours old: start a new sale`
    : undefined;
}
