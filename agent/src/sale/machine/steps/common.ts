import { maskText } from '@tillbridge/wire/mask/mask.js';
import type { SaleMode, SaleOutcome } from '../state/answer.js';
import type { Decision, Effect, Sale, StepContext } from '../state/events.js';
import type { Fact, SaleReason } from '../state/facts.js';
import type { GatewayAnswer } from '../state/gateway-answer.js';
import type { SalePolicy } from '../state/policy.js';
import {
  amountOf,
  approvedAmount,
  isLinkedRefund,
  moneyMessageId,
  type SaleState,
} from '../state/sale-state.js';

/** The fact that ends a sale. */
export function ended(
  outcome: SaleOutcome,
  mode: SaleMode | null,
  reason: SaleReason,
  detail?: string,
): Fact {
  return { kind: 'ended', outcome, mode, reason, ...(detail && { detail }) };
}

/** The same decision under the name of the till that requested it; with a `reason` only the facts that have it. */
export function requestedBy(
  decision: Decision,
  { by }: { readonly by?: string },
  reason?: SaleReason,
): Decision {
  if (by === undefined || !decision.facts) return decision;
  const facts = decision.facts.map((fact) => {
    const isNamed = fact.kind === 'reversal' || fact.kind === 'ended';
    return isNamed && (reason === undefined || fact.reason === reason) ? { ...fact, by } : fact;
  });
  return { ...decision, facts };
}

/** The terminal's description of its failure, in one line; all that looks like card data is masked (P7). */
export function failureDetail({
  failure,
  detail,
}: {
  readonly failure: string;
  readonly detail: string;
}): string {
  return maskText(`${failure}: ${detail}`).slice(0, MAX_DETAIL_LENGTH);
}

/** Characters of a detail that are kept. */
const MAX_DETAIL_LENGTH = 200;

/** Reverses the sale's authorization or offline record, whether or not it arrived. */
export function reversal(
  state: SaleState,
  messageId: string,
  reason: SaleReason,
  otherwise: SaleOutcome,
): Fact {
  const originalMessageId = moneyMessageId(state);
  if (originalMessageId === undefined) throw new Error('a reversal needs a message to reverse');
  const amount = approvedAmount(state);
  return { kind: 'reversal', messageId, originalMessageId, reason, otherwise, amount };
}

/** Whether the gateway approved exactly the requested amount. */
export function approvesAll(state: SaleState, answer: GatewayAnswer): boolean {
  return answer.disposition === 'approved' && !approvesOtherAmount(state, answer);
}

/** Whether the sale may count on the answer: all was approved, or a part of it where the policy takes a part. */
export function accepts(state: SaleState, answer: GatewayAnswer, policy: SalePolicy): boolean {
  return approvesAll(state, answer) || (policy.partialApproval === 'accept' && approvesPart(state, answer));
}

/** Less than the requested amount and more than nothing, in the same currency. A partial refund does not count, nor a part of a sale with cash back. */
function approvesPart(state: SaleState, { disposition, amountMinor, currency }: GatewayAnswer): boolean {
  const requested = amountOf(state);
  const { type, cashBackMinor } = state.request;
  if (disposition !== 'approved' || type === 'refund' || cashBackMinor !== undefined) return false;
  if (currency !== requested.currency) return false;
  return amountMinor !== undefined && amountMinor > 0 && amountMinor < requested.minor;
}

/** The issuer wants a call before it decides (ISO 8583 field 39: refer to card issuer, and under special conditions). */
const REFERRALS: ReadonlySet<string> = new Set(['01', '02']);

/** Whether the answer is a referral: a decline that a call to the issuer may turn into an approval. */
export function isReferral({ disposition, responseCode = '' }: GatewayAnswer): boolean {
  return disposition === 'declined' && REFERRALS.has(responseCode);
}

function approvesOtherAmount(state: SaleState, { amountMinor, currency }: GatewayAnswer): boolean {
  const { minor, currency: requested } = amountOf(state);
  return amountMinor !== undefined && (amountMinor !== minor || currency !== requested);
}

/** Returns the reason of a sale whose answer is no approval. */
export function refusalReason(answer: GatewayAnswer): SaleReason {
  if (isReferral(answer)) return 'referral';
  return answer.disposition === 'refused' ? 'refused-by-gateway' : 'declined-by-issuer';
}

/** The resolver begins at once, or as soon as there is a link. */
export function resolveFrom(context: StepContext): Effect {
  return { do: 'set-timer', timer: 'resolve', delayMs: context.policy.statusScheduleMs[0] ?? 0 };
}

/**
 * An answer that came when the sale had gone on without it: an approval is reversed, a refusal is the end.
 * A refund to an earlier sale's card needs no card, so that its approval still counts.
 */
export function lateAnswer(sale: Sale, answer: GatewayAnswer, context: StepContext): Decision {
  const { state } = sale;
  const fact: Fact = { kind: 'answered', answer, late: true };
  const effects: Effect[] = [{ do: 'stop-timer', timer: 'resolve' }];
  if (answer.disposition !== 'approved') {
    return { facts: [fact, ended('declined', 'online', refusalReason(answer))], effects };
  }
  if (isLinkedRefund(state) && approvesAll(state, answer)) {
    return { facts: [fact, ended('approved', 'online', 'approved')], effects };
  }
  const reason = state.reason ?? 'no-answer';
  return { facts: [fact, reversal(state, context.ids[0], reason, 'failed')], effects };
}
