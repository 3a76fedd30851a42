import type { CompleteOutcome } from '../../../drivers/core/driver.js';
import { emvSummary, mergeIccData } from '../state/emv-summary.js';
import type { Decision, Effect, PhaseSteps, Sale, SensitiveData, StepContext } from '../state/events.js';
import type { Fact, SaleReason } from '../state/facts.js';
import { approvedAmount, type SaleState } from '../state/sale-state.js';
import { accepts, approvesAll, ended, failureDetail, isReferral, refusalReason, reversal } from './common.js';

/** `completing`: the answer is on disk, the card has it and owes the second cryptogram. */
export const completingSteps: PhaseSteps = {
  'card-completed': (sale, { outcome }, context) => complete(sale, outcome, context),
  cancel: () => ({ live: { cancelRequested: true } }),
  // The card's decision is lost: the approval is reversed.
  restarted: (sale, _event, context) => withoutCard(sale, context, 'agent-restarted'),
  'journal-lost': (sale, _event, context) => ({
    ...withoutCard(sale, context, 'journal-unavailable'),
    effects: [{ do: 'finish-card', text: 'not-charged' }],
    live: { card: undefined },
  }),
};

function complete(sale: Sale, outcome: CompleteOutcome, context: StepContext): Decision {
  const { state, live } = sale;
  const completed = completedFact(outcome);
  const over = { card: undefined };
  if (state.answer?.disposition !== 'approved') {
    const end = endOfRefusal(state);
    const text = state.answer && isReferral(state.answer) ? 'call-issuer' : 'declined';
    return { facts: [completed, end], effects: [{ do: 'finish-card', text }], live: over };
  }
  const reversed = reversedBecause(sale, outcome, context);
  if (!reversed) {
    const facts = [completed, ended('approved', 'online', 'approved')];
    return { facts, effects: [approvedEffect(state)], live: over };
  }
  // AAC after an approval, or no second cryptogram at all: the reversal is in the same write (ARCHITECTURE.md, "The life of a card-present sale", 5).
  const otherwise = reversed === 'cancelled-by-till' ? 'cancelled' : 'declined';
  const fact = reversal(state, context.ids[0], reversed, otherwise);
  return {
    facts: [completed, fact],
    sensitive: finalData(live.card?.iccData, outcome, context.ids[0]),
    effects: [{ do: 'finish-card', text: reversed === 'cancelled-by-till' ? 'cancelled' : 'declined' }],
    live: over,
  };
}

/** A cardholder who saw a higher amount sees the approved one. */
function approvedEffect(state: SaleState): Effect {
  if (!state.answer || approvesAll(state, state.answer)) return { do: 'finish-card', text: 'approved' };
  return { do: 'finish-card', text: 'approved-in-part', amount: approvedAmount(state) };
}

function reversedBecause(
  { state, live }: Sale,
  outcome: CompleteOutcome,
  { policy }: StepContext,
): SaleReason | undefined {
  if (state.answer && !accepts(state, state.answer, policy)) return 'amount-differs';
  if (outcome.kind === 'declined') return 'declined-by-card';
  if (outcome.kind === 'failed') return 'terminal-failed';
  return live.cancelRequested ? 'cancelled-by-till' : undefined;
}

function completedFact(outcome: CompleteOutcome): Fact {
  return outcome.kind === 'failed'
    ? { kind: 'completed', result: 'failed', detail: failureDetail(outcome) }
    : { kind: 'completed', result: outcome.kind, emv: emvSummary(outcome.iccData) };
}

/** The final EMV data go with the reversal: the issuer wants to see the AAC. */
function finalData(
  first: Uint8Array | undefined,
  outcome: CompleteOutcome,
  messageId: string,
): readonly SensitiveData[] {
  if (outcome.kind === 'failed') return [];
  return [{ messageId, iccData: mergeIccData(first ?? new Uint8Array(), outcome.iccData) }];
}

function endOfRefusal(state: SaleState): Fact {
  return ended('declined', 'online', state.answer ? refusalReason(state.answer) : 'declined-by-issuer');
}

function withoutCard({ state }: Sale, context: StepContext, reason: SaleReason): Decision {
  return state.answer?.disposition === 'approved'
    ? { facts: [reversal(state, context.ids[0], reason, 'failed')] }
    : { facts: [endOfRefusal(state)] };
}
