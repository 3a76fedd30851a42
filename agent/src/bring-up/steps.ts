/** The walk through a device, in its order. */
export const STEPS = [
  {
    name: 'identify',
    does: 'identify',
    ask: 'The terminal is queried for its identity. Nothing is to be done.',
  },
  {
    name: 'display',
    does: 'display',
    ask: 'The terminal will show a text.',
    confirm: 'Did the terminal show "BRING-UP"?',
  },
  {
    name: 'chip',
    does: 'card',
    ask: 'Insert a test card with a chip that needs no PIN.',
    answer: 'approved',
  },
  { name: 'tap', does: 'card', ask: 'Tap a Visa test card.', answer: 'approved' },
  { name: 'swipe', does: 'card', ask: 'Swipe a test card without a chip.', answer: 'approved' },
  {
    name: 'pin',
    does: 'card',
    ask: 'Insert a test card that wants an online PIN, and enter the PIN.',
    answer: 'approved',
  },
  {
    name: 'decline',
    does: 'card',
    ask: 'Insert a test card with a chip; it will be declined.',
    answer: 'declined',
  },
  {
    name: 'cancel',
    does: 'card',
    ask: 'Give no card: press the cancel key when the terminal prompts for a card.',
  },
  { name: 'unplug', does: 'unplug', ask: 'Begin this step, then unplug the terminal.' },
] as const satisfies readonly StepRow[];

/**
 * How long what a step does may take at most; questions to the person are not in it. A card: 60 s until it is given, then a PIN, the
 * answer and its removal. Unplugging: twice the time for a cable.
 */
export const STEP_LIMITS_MS = {
  identify: 30_000,
  display: 30_000,
  card: 180_000,
  unplug: 250_000,
} as const satisfies Readonly<Record<StepRow['does'], number>>;

interface StepRow {
  readonly name: string;
  readonly does: 'identify' | 'display' | 'card' | 'unplug';
  /** Instruction to the person at the device. */
  readonly ask: string;
  /** Question to the person after the step. */
  readonly confirm?: string;
  /** What the card gets in place of an issuer's answer; no money moves. */
  readonly answer?: 'approved' | 'declined';
}

/** Name of a step. */
export type StepName = (typeof STEPS)[number]['name'];
/** One step. */
export type Step = StepRow & { readonly name: StepName };
