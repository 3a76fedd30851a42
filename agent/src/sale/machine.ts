import { unknownSteps } from '../recovery/resolver.js';
import type { SalePhase } from './answer.js';
import {
  type Decision,
  NOTHING,
  type PhaseSteps,
  type Sale,
  type SaleEvent,
  type Step,
  type StepContext,
} from './events.js';
import { acceptedSteps } from './steps/accepted.js';
import { doneSteps, parkedSteps, reversingSteps } from './steps/after.js';
import { authorizingSteps } from './steps/authorizing.js';
import { completingSteps } from './steps/completing.js';
import { readingCardSteps } from './steps/reading-card.js';

/** The sale's machine as a table: phase × event → step. What is not in it means nothing. */
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

/**
 * Decides what an event means for a sale. Pure: the facts are not applied (they count once they are on disk) and no
 * effect has happened.
 */
export function decide(sale: Sale, event: SaleEvent, context: StepContext): Decision {
  const step = SALE_STEPS[sale.state.phase][event.kind] as Step<SaleEvent['kind']> | undefined;
  return step ? step(sale, event, context) : NOTHING;
}
