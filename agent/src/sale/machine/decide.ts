import type { SalePhase } from './state/answer.js';
import {
  type Decision,
  type Effect,
  NOTHING,
  type PhaseSteps,
  type Sale,
  type SaleEvent,
  type Step,
  type StepContext,
} from './state/events.js';
import { evolve } from './state/evolve.js';
import type { Fact } from './state/facts.js';
import type { SaleState } from './state/sale-state.js';
import { acceptedSteps } from './steps/accepted.js';
import { doneSteps, parkedSteps, reversingSteps } from './steps/after-decision.js';
import { authorizingSteps } from './steps/authorizing.js';
import { requestedBy } from './steps/common.js';
import { completingSteps } from './steps/completing.js';
import { readingCardSteps } from './steps/reading-card.js';
import { unknownSteps } from './steps/unknown.js';

/** The sale's machine as a table: phase × event → step. An event without a step means nothing in that phase. */
export const SALE_STEPS: Readonly<Record<SalePhase, PhaseSteps>> = {
  accepted: acceptedSteps,
  'reading-card': readingCardSteps,
  authorizing: authorizingSteps,
  completing: completingSteps,
  unknown: unknownSteps,
  reversing: reversingSteps,
  done: doneSteps,
  parked: parkedSteps,
};

/** Phases without an outcome: the sale is parked for staff when they last longer than `overdueAfterMs`. */
export const OVERDUE_PHASES: ReadonlySet<SalePhase> = new Set<SalePhase>(['unknown', 'reversing']);

/** The shortest wait of the timer `overdue`: after a restart the time may be over already, and the link may just be coming up. */
export const OVERDUE_GRACE_MS = 60_000;

/**
 * Decides what an event means for a sale. Pure: the facts are not applied (they count once they are on disk) and no
 * effect has happened.
 */
export function decide(sale: Sale, event: SaleEvent, context: StepContext): Decision {
  const step = SALE_STEPS[sale.state.phase][event.kind] as Step<SaleEvent['kind']> | undefined;
  const decision = cancelledBy(step ? step(sale, event, context) : NOTHING, sale, event);
  const watch = oversight(sale.state, event, decision.facts ?? [], context);
  return watch ? { ...decision, effects: [...(decision.effects ?? []), watch] } : decision;
}

/** The decision with the till that requested a cancellation: in the live state until the sale ends, and in the facts that follow. */
function cancelledBy(decision: Decision, { live }: Sale, event: SaleEvent): Decision {
  const by = event.kind === 'cancel' ? event.by : live.cancelRequestedBy;
  if (by === undefined) return decision;
  const isKept = event.kind === 'cancel' && decision.live?.cancelRequested;
  const { live: next, ...named } = requestedBy(decision, { by }, 'cancelled-by-till');
  return { ...named, ...(next && { live: isKept ? { ...next, cancelRequestedBy: by } : next }) };
}

/**
 * The sale with the event's facts about the outside, which hold whether or not the decision can be journaled: a request that was
 * handed over stays handed over.
 */
export function observe(sale: Sale, event: SaleEvent): Sale {
  if (event.kind !== 'sent' || !event.handedOver) return sale;
  return { ...sale, live: { ...sale.live, handedOver: true } };
}

/** The phase of a sale after facts that are not on disk yet. */
export function phaseAfter(state: SaleState, facts: readonly Fact[]): SalePhase {
  const { reference, terminalId } = state;
  const place = { reference, terminalId, row: 0, atMs: 0 };
  return facts.reduce((before, fact) => evolve(before, fact, place), state).phase;
}

/** The timer `overdue`: set where the end becomes unknown and after a restart, stopped where it is known. */
function oversight(
  state: SaleState,
  event: SaleEvent,
  facts: readonly Fact[],
  { nowMs, policy }: StepContext,
): Effect | undefined {
  const before = OVERDUE_PHASES.has(state.phase);
  const after = OVERDUE_PHASES.has(phaseAfter(state, facts));
  if (before && !after) return { do: 'stop-timer', timer: 'overdue' };
  if (!after || (before && event.kind !== 'restarted')) return undefined;
  const spentMs = before ? Math.max(0, nowMs - (state.openSinceMs ?? nowMs)) : 0;
  const delayMs = Math.max(policy.overdueAfterMs - spentMs, OVERDUE_GRACE_MS);
  return { do: 'set-timer', timer: 'overdue', delayMs };
}
