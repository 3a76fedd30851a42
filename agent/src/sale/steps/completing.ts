import type { CompleteOutcome } from '../../drivers/driver.js';
import { emvSummary, mergeIccData } from '../emv-summary.js';
import {
  type Decision,
  type Effect,
  ignored,
  on,
  type PhaseSteps,
  type Sale,
  type SensitiveData,
  type StepContext,
} from '../events.js';
import type { Fact, SaleReason } from '../facts.js';
import { approvedAmount, type SaleState } from '../state.js';
import { accepts, approvesAll, ended, failureDetail, isReferral, refusalReason, reversal } from './common.js';
import { NO_RECORD, NOTHING_LOST } from './loss.js';
import { HAS_BEGUN, NO_LINK_NEEDED, NO_TIMER, NOT_APPROVED, NOT_PARKED, NOTHING_QUEUED } from './reasons.js';

/** `completing`: the answer is on disk, the card has it and owes the second cryptogram. */
export const completingSteps: PhaseSteps = {
  'card-completed': on(
    'TC after an approval: approved. AAC, no second cryptogram, a cancel meanwhile, or another amount than the policy takes: reversed in the same write. After a decline: declined; a referral waits for the code of a call',
    ['done', 'reversing'],
    (sale, { outcome }, context) => complete(sale, outcome, context),
  ),
  cancel: on('waits for the card, then undoes the approval', [], () => ({ live: { cancelRequested: true } })),
  // Nobody will ever know whether the card agreed: what was approved is undone.
  restarted: on(
    'whether the card agreed will never be known: an approval is reversed, a decline stands',
    ['reversing', 'done'],
    (sale, _event, context) => withoutCard(sale, context, 'agent-restarted'),
  ),
  'journal-lost': on(
    'the end cannot be recorded: an approval is reversed, a decline stands',
    ['reversing', 'done'],
    (sale, _event, context) => ({
      ...withoutCard(sale, context, 'journal-unavailable'),
      effects: [{ do: 'finish-card', text: 'not-charged' }],
      live: { card: undefined },
    }),
  ),
  begin: ignored(HAS_BEGUN),
  'card-read': ignored('the card has been read'),
  sent: ignored('the answer is here already'),
  answer: ignored('the answer is here already; the first one stands'),
  status: ignored('the answer is here already; the first one stands'),
  timer: ignored(NO_TIMER),
  link: ignored(NO_LINK_NEEDED),
  acknowledged: ignored(NOTHING_QUEUED),
  parked: ignored(NOTHING_QUEUED),
  reverse: ignored('it has no outcome yet: a till cancels it instead, and is told so'),
  capture: ignored(NOT_APPROVED),
  'voice-approved': ignored('the card is not done with the referral yet; the till is told'),
  settle: ignored(NOT_PARKED),
  expire: ignored(NO_RECORD),
  seen: ignored(NOTHING_LOST),
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
  const undone = undoneBecause(sale, outcome, context);
  if (!undone) {
    const facts = [completed, ended('approved', 'online', 'approved')];
    return { facts, effects: [approvedEffect(state)], live: over };
  }
  // AAC after an approval, or no second cryptogram at all: the reversal is in the same write (architecture §5.5).
  const otherwise = undone === 'cancelled-by-till' ? 'cancelled' : 'declined';
  const fact = reversal(state, context.ids[0], undone, otherwise);
  return {
    facts: [completed, fact],
    sensitive: finalData(live.card?.iccData, outcome, context.ids[0]),
    effects: [{ do: 'finish-card', text: undone === 'cancelled-by-till' ? 'cancelled' : 'declined' }],
    live: over,
  };
}

/** A card holder who was asked for more sees what it came to. */
function approvedEffect(state: SaleState): Effect {
  if (!state.answer || approvesAll(state, state.answer)) return { do: 'finish-card', text: 'approved' };
  return { do: 'finish-card', text: 'approved-in-part', amount: approvedAmount(state) };
}

function undoneBecause(
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
