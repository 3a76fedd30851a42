import type { Progress, Sale } from '../api/answers.js';
import type { TextKey } from '../texts/en.js';

/** The steps that a running sale shows, in their order. */
export const SALE_STEPS = ['card', 'pin', 'answer', 'remove'] as const;

/** One of {@link SALE_STEPS}. */
type SaleStep = (typeof SALE_STEPS)[number];

/** What a step is called. */
export const STEP_NAMES: Readonly<Record<SaleStep, TextKey>> = {
  card: 'stepCard',
  pin: 'stepPin',
  answer: 'stepAnswer',
  remove: 'stepRemove',
};

/** Where a running sale is: the step, and in words. */
interface StepView {
  readonly step: SaleStep;
  readonly text: TextKey;
}

const BY_PROGRESS: Readonly<Record<string, StepView>> = {
  'waiting-for-card': { step: 'card', text: 'waitingForCard' },
  'reading-card': { step: 'card', text: 'readingCard' },
  'pin-entry': { step: 'pin', text: 'pinEntry' },
  'remove-card': { step: 'remove', text: 'removeCard' },
};

const BY_STATE: Readonly<Record<Sale['state'], StepView>> = {
  accepted: { step: 'card', text: 'preparing' },
  'reading-card': { step: 'card', text: 'waitingForCard' },
  authorizing: { step: 'answer', text: 'authorizing' },
  completing: { step: 'answer', text: 'completing' },
  unknown: { step: 'answer', text: 'findingOut' },
  reversing: { step: 'answer', text: 'beingReversed' },
  done: { step: 'remove', text: 'done' },
  parked: { step: 'answer', text: 'staffResolves' },
};

/** Where a sale is. The terminal's report is more exact while the card is read, and once it may be taken out. */
export function stepOf({ state, reference }: Sale, progress: Progress | undefined): StepView {
  const reported = progress?.reference === reference ? BY_PROGRESS[progress.step] : undefined;
  if (reported && (state === 'accepted' || state === 'reading-card' || reported.step === 'remove'))
    return reported;
  return BY_STATE[state];
}
