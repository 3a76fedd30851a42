import type { Progress, Sale } from '../api/answers.js';

/** The steps that a running sale shows, in their order. */
export const SALE_STEPS = ['card', 'pin', 'answer', 'remove'] as const;

/** One of {@link SALE_STEPS}. */
export type SaleStep = (typeof SALE_STEPS)[number];

/** What a step is called. */
export const STEP_NAMES: Readonly<Record<SaleStep, string>> = {
  card: 'Card',
  pin: 'PIN',
  answer: 'Answer',
  remove: 'Card out',
};

/** Where a running sale is: the step, and in words. */
export interface StepView {
  readonly step: SaleStep;
  readonly text: string;
}

const BY_PROGRESS: Readonly<Record<string, StepView>> = {
  'waiting-for-card': { step: 'card', text: 'Waiting for the card' },
  'reading-card': { step: 'card', text: 'Reading the card: leave it in' },
  'pin-entry': { step: 'pin', text: 'The customer enters the PIN' },
  'remove-card': { step: 'remove', text: 'The card can be taken out' },
};

const BY_STATE: Readonly<Record<Sale['state'], StepView>> = {
  accepted: { step: 'card', text: 'Preparing the terminal' },
  'reading-card': { step: 'card', text: 'Waiting for the card' },
  authorizing: { step: 'answer', text: 'Waiting for the answer of the bank' },
  completing: { step: 'answer', text: 'Finishing with the card: leave it in' },
  unknown: { step: 'answer', text: 'No answer yet: the outcome is being found out' },
  reversing: { step: 'answer', text: 'Being reversed' },
  done: { step: 'remove', text: 'Done' },
  parked: { step: 'answer', text: 'Staff must resolve it' },
};

/** Where a sale is. What the terminal tells is more exact while the card is read, and once it may be taken out. */
export function stepOf({ state, reference }: Sale, progress: Progress | undefined): StepView {
  const told = progress?.reference === reference ? BY_PROGRESS[progress.step] : undefined;
  if (told && (state === 'accepted' || state === 'reading-card' || told.step === 'remove')) return told;
  return BY_STATE[state];
}
